"""What admins are to see to about people."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from phybench.desks import news
from phybench.desks.counting import count_line
from phybench.desks.lines import Line, Link, Urgency
from phybench.desks.registry import desk_lines, desk_links
from phybench.models import Role, User

__all__ = ["list_places", "list_without_roles", "news"]


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
        reverse("admin:phybench_user_changelist"),
    )


@desk_links(Role.ADMIN)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("People and their roles"), reverse("admin:phybench_user_changelist"))
