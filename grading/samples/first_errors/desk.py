"""Answers whose first error somebody is asked to find."""

from collections.abc import Iterator

from django.utils.translation import ngettext_lazy

from grading.samples.first_errors.permissions import list_first_errors_of_all
from grading.samples.labelling.waiting import Words, tell_samples
from phybench.news.desks.lines import Line
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User

LABEL = Words(
    ngettext_lazy(
        "Label the first error of %(count)d answer.",
        "Label the first errors of %(count)d answers.",
        "count",
    ),
    "grading:label_first_error",
)
SETTLE = Words(
    ngettext_lazy(
        "Two people found different first errors in %(count)d answer: settle it.",
        "Two people found different first errors in %(count)d answers: settle them.",
        "count",
    ),
    "grading:adjudicate_first_error",
)


@desk_lines(Role.REVIEWER, Role.EVALUATOR, Role.ADMIN)
def list_samples(user: User) -> Iterator[Line]:
    return tell_samples(user, list_first_errors_of_all(user), label=LABEL, settle=SETTLE)
