"""
One HTTP call over a connection of its own, bounded in time and size, to a checked address.

Every call looks the name up once, checks every address found, and connects to one of those: a name
that points elsewhere a moment later changes nothing. The connection is closed after the call; next
to the seconds that a model takes, making another costs little, and none is stale.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpcore2

from grading.endpoints.addresses import Egress
from grading.endpoints.base_url import BaseURL
from grading.endpoints.errors import EndpointError
from phybench_grader.judges.call_reasons import Cause

# It logs, for debugging only, the headers that come back: some endpoints say the key in them.
logging.getLogger("httpcore2").setLevel(logging.INFO)

WRITTEN_AT_ONCE = 16 * 1024
"""Bytes, after which the time is looked at again."""

Resolver = Callable[[str, int], Sequence[str]]
"""Looks up the IP addresses of a host name; raises `OSError` if it has none."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a call may take, in seconds, and how large its response may be, in bytes."""

    total: float = 300.0
    """All of it, from looking up the name to the last byte, and trying once more without what an
    endpoint refuses."""
    connect: float = 10.0
    """Looking up the name; connecting to one address; agreeing on TLS: each."""
    silence: float = 300.0
    """Without a byte."""
    largest: int = 4 * 1024 * 1024


class Deadline:
    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    @property
    def has_passed(self) -> bool:
        return time.monotonic() >= self._at

    def cap(self, seconds: float) -> float:
        """Return so many seconds, or those that are left; raise if none are."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise EndpointError(Cause.DEADLINE)
        return min(seconds, left)


@dataclass(frozen=True, slots=True)
class Call:
    method: str
    path: str
    """What follows the base URL."""
    headers: dict[str, str] = field(repr=False)
    """The key is here."""
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Received:
    """A response, whatever its status."""

    status: int
    headers: dict[str, str]
    """By their names in lower case."""
    body: bytes


def resolve(host: str, port: int) -> list[str]:
    """Ask the system for a host's addresses."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class Route:
    """How to get to an endpoint."""

    base_url: BaseURL
    egress: Egress = field(default_factory=Egress)
    limits: Limits = field(default_factory=Limits)
    resolver: Resolver = resolve
    tls: ssl.SSLContext | None = None
    """Whom to trust; None is whom the system trusts."""

    def fetch(self, call: Call, deadline: Deadline) -> Received:
        """
        Make one call and read its response. Redirects are not followed, proxies not looked for.

        Raises:
            EndpointError: there was no response, or it was too large.
        """
        backend = _Backend(self, deadline)
        try:
            # Without a context of its own, each pool would read the system's certificates anew.
            with httpcore2.ConnectionPool(
                network_backend=backend, ssl_context=self.tls or _trust_the_system()
            ) as pool:
                return self._exchange(pool, call)
        except httpcore2.TimeoutException:
            reason = Cause.DEADLINE if deadline.has_passed else Cause.TIMEOUT
            raise EndpointError(reason) from None
        except httpcore2.ConnectError:
            raise EndpointError(Cause.CONNECT) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError):
            raise EndpointError(Cause.DISCONNECTED) from None

    def _exchange(self, pool: httpcore2.ConnectionPool, call: Call) -> Received:
        base = self.base_url
        url = httpcore2.URL(
            scheme=base.scheme, host=base.host, port=base.port, target=base.path + call.path
        )
        headers: list[tuple[bytes | str, bytes | str]] = [("host", base.authority)]
        headers += call.headers.items()
        if call.method != "GET":
            headers.append(("content-length", str(len(call.content))))
        with pool.stream(call.method, url, headers=headers, content=call.content) as response:
            received = {
                name.decode("latin-1").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            return Received(response.status, received, self._read(response, received))

    def _read(self, response: httpcore2.Response, headers: dict[str, str]) -> bytes:
        too_large = EndpointError(Cause.RESPONSE_TOO_LARGE, status=response.status)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > self.limits.largest:
            raise too_large
        body = bytearray()
        for piece in response.iter_stream():
            body += piece
            if len(body) > self.limits.largest:
                raise too_large
        return bytes(body)


@cache
def _trust_the_system() -> ssl.SSLContext:
    return httpcore2.default_ssl_context()


class _Backend(httpcore2.NetworkBackend):
    """Connects to checked addresses only; everything it does ends at the deadline."""

    def __init__(self, route: Route, deadline: Deadline) -> None:
        self._route = route
        self._deadline = deadline
        self._system = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        limits = self._route.limits
        addresses = self._look_up(host, port)
        self._check(addresses)
        failure: Exception = httpcore2.ConnectError("no address")
        for address in addresses:
            try:
                stream = self._system.connect_tcp(
                    address, port, self._deadline.cap(limits.connect), socket_options=()
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream, limits, self._deadline)
        raise failure

    def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            pass
        seconds = self._deadline.cap(self._route.limits.connect)
        try:
            found = _run_within(seconds, lambda: self._route.resolver(host, port))
        except (OSError, UnicodeError):
            raise EndpointError(Cause.DNS) from None
        if not found:
            raise EndpointError(Cause.DNS)
        return found

    def _check(self, addresses: Sequence[str]) -> None:
        """Refuse the endpoint if one of its addresses won't do: it could be the next to be used."""
        encrypted = self._route.base_url.scheme == "https"
        for address in addresses:
            if refusal := self._route.egress.explain_refusal(address, encrypted=encrypted):
                raise EndpointError(Cause.EGRESS_DENIED, detail=refusal)


def _run_within(seconds: float, function: Callable[[], Sequence[str]]) -> Sequence[str]:
    """Run what knows no time limit; raise `TimeoutError`, an `OSError`, when it takes longer."""
    results: list[Sequence[str]] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    # A daemon: nobody waits for it at the end.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]


class _Stream(httpcore2.NetworkStream):
    """A connection on which no single read, however many there are, goes past the deadline."""

    def __init__(self, stream: httpcore2.NetworkStream, limits: Limits, deadline: Deadline) -> None:
        self._stream = stream
        self._limits = limits
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.cap(self._limits.silence))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), WRITTEN_AT_ONCE):
            piece = buffer[start : start + WRITTEN_AT_ONCE]
            self._stream.write(piece, self._deadline.cap(self._limits.silence))

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            seconds = self._deadline.cap(self._limits.connect)
            stream = self._stream.start_tls(ssl_context, server_hostname, seconds)
        except BaseException as error:
            # Nobody else knows of it yet.
            self.close()
            if isinstance(error.__cause__, ssl.SSLError):
                raise EndpointError(Cause.TLS, detail=str(error.__cause__)) from None
            raise
        return _Stream(stream, self._limits, self._deadline)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
