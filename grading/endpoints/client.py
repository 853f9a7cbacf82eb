"""
Calling one endpoint that speaks as OpenAI's does: chat completions, and the list of its models.

It makes one attempt and says how it went; trying again, waiting and paying are the caller's, by the
rules in `retries`, `limiter` and `budget`.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from grading.endpoints.addresses import Egress
from grading.endpoints.base_url import BaseURL
from grading.endpoints.completions import read_completion, read_object
from grading.endpoints.errors import EndpointError
from grading.endpoints.failures import explain_failure
from grading.endpoints.keys import HIDDEN, APIKey, scrub
from grading.endpoints.negotiation import Capabilities, list_sent
from grading.endpoints.replies import Exchange, Message, Parameters, Reply
from grading.endpoints.text import clean, decode, shorten
from grading.endpoints.wire import Call, Deadline, Limits, Received, Resolver, Route, resolve
from phybench_grader.judges.call_reasons import Cause

USER_AGENT = "phybench-curation"
KEPT_HEADERS = (
    "content-type",
    "date",
    "request-id",
    "x-request-id",
    "retry-after-ms",
    "retry-after",
)
KEPT_HEADERS_BEGIN = ("x-ratelimit-", "openai-")
LONGEST_HEADER = 300
"""Characters."""

Result = TypeVar("Result")


class ChatClient:
    """
    One endpoint, with one key or none. Threads may share it.

    `capabilities` is what is known of the endpoint; a call that teaches something replaces it.
    """

    def __init__(
        self,
        base_url: BaseURL,
        *,
        key: APIKey | None = None,
        egress: Egress | None = None,
        limits: Limits | None = None,
        capabilities: Capabilities | None = None,
        resolver: Resolver = resolve,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.base_url = base_url
        self.capabilities = capabilities or Capabilities()
        self._key = key
        self._route = Route(base_url, egress or Egress(), limits or Limits(), resolver, tls)

    def __repr__(self) -> str:
        return f"<ChatClient {self.base_url}>"

    def complete(self, messages: Sequence[Message], parameters: Parameters) -> Reply:
        """
        Ask for one completion. What the endpoint refuses is left out, and it is asked again.

        Raises:
            EndpointError: there is no reply to go by; `exchanges` has every call made.
        """
        deadline = Deadline(self._route.limits.total)
        exchanges: list[Exchange] = []
        capabilities = self.capabilities
        while True:
            request = capabilities.build_request(messages, parameters)
            try:
                reply = self._ask(request, deadline, exchanges)
            except EndpointError as error:
                adapted = None
                if error.reason is Cause.UNSUPPORTED_PARAM:
                    adapted = capabilities.without(error.parameter)
                if adapted is None:
                    error.exchanges = tuple(exchanges)
                    if error.reply is not None:
                        error.reply = replace(error.reply, exchanges=error.exchanges)
                        self.capabilities = capabilities
                    raise
                # Each time there is one thing less to refuse, so this ends.
                capabilities = adapted
            else:
                self.capabilities = capabilities
                return replace(reply, exchanges=tuple(exchanges))

    def list_models(self) -> list[str]:
        """
        Ask which models there are: the cheapest way to see whether address and key are right.

        Raises:
            EndpointError: there is no list; not every endpoint has one.
        """
        exchanges: list[Exchange] = []
        call = Call("GET", "/models", self._write_headers())
        try:
            return self._make(call, Deadline(self._route.limits.total), exchanges, _read_models)
        except EndpointError as error:
            error.exchanges = tuple(exchanges)
            raise

    def _ask(self, request: dict[str, Any], deadline: Deadline, exchanges: list[Exchange]) -> Reply:
        def read(received: Received) -> Reply:
            if received.status == 200:
                return read_completion(received.headers, received.body)
            raise explain_failure(
                received.status, received.headers, received.body, sent=list_sent(request)
            )

        headers = {"content-type": "application/json", **self._write_headers()}
        content = json.dumps(request, allow_nan=False).encode()
        call = Call("POST", "/chat/completions", headers, content)
        return self._make(call, deadline, exchanges, read)

    def _write_headers(self) -> dict[str, str]:
        headers = {
            "accept": "application/json",
            # What is not packed can't unpack to more than was let in.
            "accept-encoding": "identity",
            "connection": "close",
            "user-agent": USER_AGENT,
        }
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key.reveal()}"
        return headers

    def _make(
        self,
        call: Call,
        deadline: Deadline,
        exchanges: list[Exchange],
        read: Callable[[Received], Result],
    ) -> Result:
        """Make one call and read what it brings; whatever comes of it is among the exchanges."""
        exchange = Exchange(f"{self.base_url}{call.path}", call.content.decode(), 0.0)
        start = time.monotonic()
        try:
            received = self._hide_key(self._route.fetch(call, deadline))
            exchange = replace(
                exchange,
                status=received.status,
                headers=_keep_headers(received.headers),
                body=decode(received.body),
            )
            return read(received)
        except EndpointError as error:
            error.detail = scrub(clean(error.detail), self._key)
            # What an error inside a success says of itself is no status.
            error.status = exchange.status or error.status
            exchange = replace(
                exchange,
                status=error.status,
                body=scrub(exchange.body, self._key),
                reason=error.reason,
            )
            raise
        finally:
            exchanges.append(replace(exchange, seconds=time.monotonic() - start))

    def _hide_key(self, received: Received) -> Received:
        """Take the key out of all that came, before anything is read: some endpoints echo it."""
        key = self._key
        if key is None:
            return received
        return replace(
            received,
            headers={name: key.scrub(value) for name, value in received.headers.items()},
            body=received.body.replace(key.reveal().encode(), HIDDEN.encode()),
        )


def _keep_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: shorten(value, LONGEST_HEADER)
        for name, value in headers.items()
        if name in KEPT_HEADERS or name.startswith(KEPT_HEADERS_BEGIN)
    }


def _read_models(received: Received) -> list[str]:
    if received.status != 200:
        raise explain_failure(received.status, received.headers, received.body)
    models = read_object(received.headers, received.body).get("data")
    if not isinstance(models, list):
        raise EndpointError(Cause.ERROR_IN_200, detail="There is no list of models in it.")
    names = (model.get("id") for model in models if isinstance(model, dict))
    return [clean(name) for name in names if isinstance(name, str)]
