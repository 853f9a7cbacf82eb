"""Requests that no view gets, those of signed-in people, and the role check that views share."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import unquote

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from phybench.models import Role, User


class NoNulMiddleware:
    """
    Refuse a NUL in an address or a cookie: PostgreSQL stores none, and finds nothing by one.

    What is sent in forms their fields refuse, each at its place.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        query = unquote(request.META.get("QUERY_STRING", ""))
        if any("\0" in text for text in (request.path, query, *request.COOKIES.values())):
            raise BadRequest("It holds a NUL.")
        return self.get_response(request)


class MemberRequest(HttpRequest):
    """A request of somebody signed in: `LoginRequiredMiddleware` saw to it."""

    user: User
    htmx: HtmxDetails


P = ParamSpec("P")
MemberView = Callable[Concatenate[MemberRequest, P], HttpResponseBase]


def role_required(*roles: Role) -> Callable[[MemberView[P]], MemberView[P]]:
    """Let only holders of one of `roles` (or an admin) in; say to the others which it takes."""

    def decorate(view: MemberView[P]) -> MemberView[P]:
        @wraps(view)
        def checked(request: MemberRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not any(request.user.has_role(role) for role in (*roles, Role.ADMIN)):
                names = _(" or ").join(str(role.label) for role in roles)
                raise PermissionDenied(
                    _("This page is for people with the role %(roles)s. An admin can give it.")
                    % {"roles": names}
                )
            return view(request, *args, **kwargs)

        return cast("MemberView[P]", checked)

    return decorate
