"""Answers of audit samples that wait for somebody's label."""

from collections.abc import Iterator

from django.utils.translation import ngettext_lazy

from grading.samples.audits.permissions import list_labelable_of_all
from grading.samples.labelling.waiting import Words, tell_samples
from phybench.news.desks.lines import Line
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User

LABEL = Words(
    ngettext_lazy(
        "%(count)d answer of a check sample needs your label.",
        "%(count)d answers of check samples need your label.",
        "count",
    ),
    "grading:label_audit",
)
SETTLE = Words(
    ngettext_lazy(
        "Two labels differ on %(count)d answer of a check sample: rule on it.",
        "Two labels differ on %(count)d answers of check samples: rule on them.",
        "count",
    ),
    "grading:adjudicate_audit",
)


@desk_lines(Role.REVIEWER, Role.EVALUATOR, Role.ADMIN)
def list_samples(user: User) -> Iterator[Line]:
    return tell_samples(user, list_labelable_of_all(user), label=LABEL, settle=SETTLE)
