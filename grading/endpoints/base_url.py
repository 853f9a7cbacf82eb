"""The address of an endpoint, taken apart strictly: what could be read in two ways is refused."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST = 500
"""Characters."""
PORTS = {"https": 443, "http": 80}

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII)
# What systems take for a number in 127.0.0.1's other spellings: 2130706433, 0x7f.1, 0177.0.0.1.
_NUMBER = re.compile(r"(?:.*\.)?(?:\d+|0x[0-9a-f]*)", re.ASCII)
_PATH = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@%/-]*", re.ASCII)


class BadURL(ValueError):
    """A base URL that is refused; the message says what to do."""


@dataclass(frozen=True, slots=True)
class BaseURL:
    """
    Where an endpoint lives: all up to `/chat/completions`.

    >>> str(BaseURL.parse("https://API.example.com:443/v1/"))
    'https://api.example.com/v1'
    """

    scheme: str
    host: str
    """In lower case; an IPv6 address without its brackets."""
    port: int
    path: str
    """Begins with a slash and does not end with one; or is empty."""

    @classmethod
    def parse(cls, text: str) -> BaseURL:
        """Read a base URL, or raise `BadURL`."""
        if len(text) > LONGEST or not text.isascii() or re.search(r"[\s\\\x00-\x1f\x7f]", text):
            raise BadURL("Write a URL without spaces, in ASCII, of at most 500 characters.")
        try:
            parts = urlsplit(text)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise BadURL("Write a URL such as https://api.example.com/v1.") from None
        if parts.scheme not in PORTS:
            raise BadURL("Begin the URL with https://, or with http:// for an allowed address.")
        if "@" in parts.netloc:
            raise BadURL("Leave user name and password out of the URL.")
        # Even an empty one: what is added to the path would go there.
        if "?" in text or "#" in text:
            raise BadURL("Leave everything from “?” or “#” on out of the URL.")
        if not _PATH.fullmatch(parts.path) or ".." in parts.path or "//" in parts.path:
            raise BadURL("Write a plain path, such as /v1.")
        if port == 0:
            raise BadURL("Choose a port between 1 and 65535.")
        if "[" in parts.netloc and ":" not in host:
            raise BadURL("Write only an IPv6 address in square brackets.")
        _check_host(host)
        return cls(parts.scheme, host, port or PORTS[parts.scheme], parts.path.rstrip("/"))

    @property
    def authority(self) -> str:
        """The host, bracketed if need be, with the port if it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """What a key is given to: scheme, host and port."""
        return self.scheme, self.host, self.port

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def _check_host(host: str) -> None:
    if ":" in host:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise BadURL("Write the IPv6 address in its usual form.") from None
        if "%" in host:
            raise BadURL("Write the IPv6 address without a zone.")
        return
    if _NUMBER.fullmatch(host):
        try:
            ipaddress.IPv4Address(host)
        except ValueError:
            raise BadURL("Write the IPv4 address as four decimal numbers.") from None
        return
    if len(host) > 253 or not _NAME.fullmatch(host):
        raise BadURL("Write a host name of letters, digits and dots; others in their xn-- form.")
