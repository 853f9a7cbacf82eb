"""Who is let in by which token, to do what, and how often in a minute."""

import time
from dataclasses import dataclass
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja.security.http import HttpAuthBase

from phybench.pages.api.refused import Refusal
from phybench.people.http import require_role
from phybench.people.models import Role
from phybench.people.tokens import actions as tokens
from phybench.people.tokens.models import Scope, Token

A_MINUTE = 60


class ApiRequest(HttpRequest):
    """A request whose token was found."""

    auth: Token


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends no token, and reads what everybody may."""

    person: AnonymousUser


class PublicRequest(HttpRequest):
    auth: Token | Visitor


class Bearer(HttpAuthBase):
    """
    Let in who sends a token of this scope in the header; a browser's session opens nothing.

    Args:
        roles: one of which its person has to hold, where not everybody is let in.
    """

    openapi_scheme = "bearer"

    def __init__(self, scope: Scope, *roles: Role) -> None:
        super().__init__()
        self.scope = scope
        self.roles = roles

    def __call__(self, request: HttpRequest) -> Token | Visitor | None:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        token = tokens.find(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            return None
        _count(request, f"{token.person_id}")
        if self.scope not in token.scopes:
            raise Refusal(
                403,
                "wrong-scope",
                _("This needs a token with the scope “%(scope)s”.") % {"scope": self.scope.value},
            )
        if self.roles:
            require_role(token.person, *self.roles)
        return token


class Everybody(Bearer):
    """Let in also who sends no token; one that is sent has to be good all the same."""

    def __call__(self, request: HttpRequest) -> Token | Visitor | None:
        if "Authorization" in request.headers:
            return super().__call__(request)
        _count(request, f"of-{get_ip(request)}")
        return Visitor(AnonymousUser())


EVERYBODY = Everybody(Scope.READ)
NO_TOKEN: dict[str, Any] = {"security": [{}]}
"""What OpenAPI says besides of what everybody may ask."""
READ = Bearer(Scope.READ, Role.EVALUATOR)
SUBMIT = Bearer(Scope.SUBMIT, Role.EVALUATOR)
PUBLISH = Bearer(Scope.PUBLISH, Role.EVALUATOR)


def _count(request: HttpRequest, who: str) -> None:
    """Count a request of somebody's minute, and refuse it where it is one too many."""
    most, now = settings.API_REQUESTS_A_MINUTE, time.time()
    place = f"api-{who}-{int(now // A_MINUTE)}"
    cache.add(place, 0, 2 * A_MINUTE)
    try:
        used = cache.incr(place)
    except ValueError:  # it was forgotten meanwhile
        used = 1
    reset = A_MINUTE - int(now % A_MINUTE)
    limits = {
        "RateLimit-Limit": str(most),
        "RateLimit-Remaining": str(max(0, most - used)),
        "RateLimit-Reset": str(reset),
    }
    request.api_limits = limits  # type: ignore[attr-defined]
    if used > most:
        raise Refusal(
            429,
            "too-many-requests",
            _("You may send %(most)d requests in a minute.") % {"most": most},
            headers={"Retry-After": str(reset)},
        )


def tell_limits(request: HttpRequest, response: HttpResponse) -> None:
    for name, value in getattr(request, "api_limits", {}).items():
        response[name] = value
