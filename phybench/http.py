"""Requests of signed-in people, and the role check that views share."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from phybench.models import Role, User


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
