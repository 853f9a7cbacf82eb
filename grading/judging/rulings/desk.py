"""Answers of which judges or the grader could not tell, and a person is to."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import ngettext_lazy

from grading.judging.rulings.waiting import list_waiting
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN, Role.EVALUATOR)
def list_to_rule(user: User) -> Iterator[Line]:
    return count_line(
        list_waiting(user),
        "waits_since",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d answer that judges or the grader left open needs a person.",
            "%(count)d answers that judges or the grader left open need a person.",
            "count",
        ),
        ngettext_lazy("Rule on it", "Rule on them", "count"),
        reverse("grading:rulings"),
    )
