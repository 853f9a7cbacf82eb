"""What somebody is told on the page that they see next."""

from typing import Any

from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http.response import HttpResponseBase

MOST = 10
"""Of who posts and never looks all would be written anew each time, in one ever longer row."""


class NewestMessages(FallbackStorage):
    """Keep the newest few of those that nobody has seen yet."""

    def _store(
        self, messages: list[Message], response: HttpResponseBase, *args: Any, **options: Any
    ) -> list[Message]:
        # Its types leave out what its subclasses have.
        store: Any = super()._store  # type: ignore[misc]
        left: list[Message] = store(messages[-MOST:], response, *args, **options)
        return left
