"""Requests of signed-in people, and the role check that views share."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import islice
from typing import Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from phybench.people.models import Role, User


class MemberRequest(HttpRequest):
    """A request of somebody signed in: `LoginRequiredMiddleware` saw to it."""

    user: User
    htmx: HtmxDetails


SCHEMES = ("light", "dark")
"""Looks of pages that somebody can choose in place of what their system says."""


def read_scheme(request: HttpRequest) -> str:
    """Return the look that this browser’s person chose; empty: as their system says."""
    chosen = request.COOKIES.get("scheme", "")
    return chosen if chosen in SCHEMES else ""


P = ParamSpec("P")
MemberView = Callable[Concatenate[MemberRequest, P], HttpResponseBase]


def role_required(*roles: Role) -> Callable[[MemberView[P]], MemberView[P]]:
    """Let only holders of one of `roles` (or an admin) in; say to the others which it takes."""

    def decorate(view: MemberView[P]) -> MemberView[P]:
        @wraps(view)
        def checked(request: MemberRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            require_role(request.user, *roles)
            return view(request, *args, **kwargs)

        return cast("MemberView[P]", checked)

    return decorate


def require_role(person: User, *roles: Role) -> None:
    """Refuse who holds none of `roles` and is no admin; say which it takes."""
    if not any(person.has_role(role) for role in (*roles, Role.ADMIN)):
        names = _(" or ").join(str(role.label) for role in roles)
        raise PermissionDenied(
            _("Only people with the role %(roles)s can open this. An admin can give you the role.")
            % {"roles": names}
        )


def read_number(request: HttpRequest, name: str) -> int:
    """Read of which row a button is; 0 where it says none."""
    return next(iter(read_numbers(request.POST.getlist(name))), 0)


@contextmanager
def saying_why_not(
    request: HttpRequest, refusal: type[Exception], level: int = messages.ERROR
) -> Iterator[None]:
    """Say on the next page why an action was refused, and leave out the rest of the block."""
    try:
        yield
    except refusal as why:
        messages.add_message(request, level, str(why))


def read_numbers(sent: Iterable[str], most: int = 1) -> list[int]:
    """Return of what was sent the first that can be numbers of rows; the rest is ignored."""
    fitting = (one for one in sent if one.isascii() and one.isdigit() and len(one) < 19)
    return [int(one) for one in islice(fitting, most)]


SLOT_SECONDS = 30
"""After which a place is free again whose process died; nothing that takes one takes as long."""


def few_at_once(view: MemberView[P]) -> MemberView[P]:
    """Let nobody have more than a few previews under way, whatever they type meanwhile."""
    return _limit(view, "under-way", "PREVIEWS_AT_ONCE")


def few_editors_at_once(view: MemberView[P]) -> MemberView[P]:
    """
    Let nobody have more than a few pages under way that try all of what was written.

    They have places of their own: what is saved does not wait for what is previewed.
    """
    return _limit(view, "editing", "EDITORS_AT_ONCE")


def _limit(view: MemberView[P], name: str, setting: str) -> MemberView[P]:
    """
    Give each person as many places as a setting says, in all processes together.

    Each request may take a second of a processor, and others want to read and write meanwhile.
    """

    @wraps(view)
    def counted(request: MemberRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        places = (f"{name}-{request.user.pk}-{n}" for n in range(getattr(settings, setting)))
        place = next((one for one in places if cache.add(one, True, SLOT_SECONDS)), None)
        if place is None:
            # `static/js/page.js` shows what it says, and asks again.
            page = "_busy.html" if request.htmx else "429.html"
            refused = render(request, page, status=429)
            refused["Retry-After"] = "1"
            return refused
        try:
            return view(request, *args, **kwargs)
        finally:
            cache.delete(place)

    return cast("MemberView[P]", counted)
