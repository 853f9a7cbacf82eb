"""What admins see to about people, and what is offered to somebody: to be named on a problem."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from curation.members.models import Request
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Link, Urgency
from phybench.news.desks.registry import desk_lines, desk_links
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_requests(user: User) -> Iterator[Line]:
    return count_line(
        Request.objects.waiting(),
        "asked_at",
        Urgency.SOON,
        ngettext_lazy("%(count)d request to decide.", "%(count)d requests to decide.", "count"),
        _("Decide"),
        reverse("curation:requests"),
    )


@desk_lines(Role.ADMIN)
def list_without_roles(user: User) -> Iterator[Line]:
    return count_line(
        User.objects.filter(is_active=True, roles=[]),
        "joined_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d person has no role yet.", "%(count)d people have no role yet.", "count"
        ),
        _("Give roles"),
        reverse("curation:members"),
    )


@desk_lines(Role.CONTRIBUTOR)
def list_offers(user: User) -> Iterator[Line]:
    return count_line(
        user.credits.offered(),
        "given_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d credit on a problem is offered to you.",
            "%(count)d credits on problems are offered to you.",
            "count",
        ),
        _("Accept or decline"),
        reverse("curation:offers"),
    )


@desk_links(Role.ADMIN)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("People"), reverse("curation:members"))
