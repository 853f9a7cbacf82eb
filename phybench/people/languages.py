"""Which language the pages speak: what a person chose, else what their browser asks for."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from phybench.people.models import User


class UserLanguageMiddleware:
    """Speak the language that a signed-in person chose, wherever they sign in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.interface_language:
            translation.activate(user.interface_language)
            # As Django's LocaleMiddleware says it, of a cookie or a browser.
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


def in_language_of(person: User) -> AbstractContextManager[None]:
    """Write what a person reads later, or in their mail, as a worker or somebody else causes it."""
    return translation.override(person.interface_language or settings.LANGUAGE_CODE)
