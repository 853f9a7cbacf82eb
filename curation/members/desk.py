"""What admins see to about people: roles asked for, and people without any."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from curation.members.models import RoleRequest
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Link, Urgency
from phybench.news.desks.registry import desk_lines, desk_links
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_requests(user: User) -> Iterator[Line]:
    return count_line(
        RoleRequest.objects.waiting(),
        "asked_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d role request to decide.", "%(count)d role requests to decide.", "count"
        ),
        _("Decide"),
        reverse("curation:role_requests"),
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


@desk_links(Role.ADMIN)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("People"), reverse("curation:members"))
