"""Contested grades: those to rule on, and rulings that somebody has not read."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading.disputes.contests.permissions import list_own_contests, list_rulable_contests
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN, Role.EVALUATOR)
def list_to_rule(user: User) -> Iterator[Line]:
    return count_line(
        list_rulable_contests(user).open(),
        "contested_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d contested grade waits for your ruling.",
            "%(count)d contested grades wait for your ruling.",
            "count",
        ),
        ngettext_lazy("Rule on it", "Rule on them", "count"),
        reverse("grading:contests_to_rule"),
    )


@desk_lines(Role.EVALUATOR, Role.PARTICIPANT, Role.ADMIN)
def list_ruled(user: User) -> Iterator[Line]:
    return count_line(
        list_own_contests(user).untold(),
        "ruled_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d grade that you contested was ruled on.",
            "%(count)d grades that you contested were ruled on.",
            "count",
        ),
        _("Read the rulings"),
        reverse("grading:contests") + "?show=ruled",
    )
