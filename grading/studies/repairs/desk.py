"""Unreadable answers of studies whose meaning a reviewer may say."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import ngettext_lazy

from grading.studies.repairs.permissions import list_to_repair
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.REVIEWER)
def list_repairs(user: User) -> Iterator[Line]:
    return count_line(
        list_to_repair(user),
        "session__ended_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d answer of a study could not be read: say what it means.",
            "%(count)d answers of studies could not be read: say what they mean.",
            "count",
        ),
        ngettext_lazy("Repair it", "Repair them", "count"),
        reverse("grading:repairs"),
    )
