"""Programs with tokens, as tests send their requests."""

import json
from collections.abc import Collection
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from phybench.people.models import User
from phybench.people.tokens import actions
from phybench.people.tokens.models import Scope

BASE = "/api/v1"


def make_secret(person: User, scopes: Collection[Scope] = tuple(Scope), days: int = 7) -> str:
    _token, secret = actions.make(person=person, name="Harness", scopes=scopes, days=days)
    return secret


class Program:
    """What calls the API with a token."""

    def __init__(self, secret: str) -> None:
        self.client = Client()
        self.secret = secret

    def ask(self, method: str, path: str, sent: Any = None, **options: Any) -> HttpResponseBase:
        headers = {"Authorization": f"Bearer {self.secret}", **options.pop("headers", {})}
        content = sent if isinstance(sent, bytes | str) else json.dumps(sent)
        kind = options.pop("content_type", "application/json")
        return self.client.generic(
            method, BASE + path, content if sent is not None else b"", kind, headers=headers
        )

    def get(self, path: str, **options: Any) -> HttpResponseBase:
        return self.ask("GET", path, **options)

    def post(self, path: str, sent: Any = None, **options: Any) -> HttpResponseBase:
        return self.ask("POST", path, sent, **options)

    def send(self, path: str, content: bytes, **options: Any) -> HttpResponseBase:
        """Send a file as it is."""
        kind = "application/octet-stream"
        return self.ask("POST", path, content, content_type=kind, **options)
