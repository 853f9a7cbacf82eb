"""
The kinds of question that reviewers are asked beside their recommendation, one entry each.

An entry says what can be answered and how a form has it, what an answer is called, and how far two
are apart. Everything else asks here: a new kind is a name, an entry, and a migration for the name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from phybench_grader.statistics.agreement import Scale

Answer = int | bool
"""As a review keeps it; as a rating, `int` of it."""


class QuestionKind(TextChoices):
    SCALE = "SCALE", _("1 to 5")
    YES_NO = "YES_NO", _("yes or no")


@dataclass(frozen=True, slots=True)
class Entry:
    """All there is to know of a kind."""

    answers: Mapping[str, Answer]
    """What a form sends, with the answer that it means."""
    labels: Mapping[str, str | Promise]
    """What stands beside each choice of the form."""
    say: Callable[[Answer], str]
    """Say an answer where there is no form around it."""
    apart: Callable[[Answer, Answer], float]
    """Measure how far two answers are apart, from 0 to 100."""
    scale: Scale
    """What the numbers mean when agreement is measured."""
    made_up: tuple[Answer, ...]
    """Answers for made-up reviews: the usual one first, each as often as it is given."""

    def takes(self, given: object) -> bool:
        """Whether this is an answer: `1` and `True` are not the same."""
        return any(type(given) is type(one) and given == one for one in self.answers.values())

    def fill(self, answer: Answer) -> str:
        """Return what a form has where this was answered."""
        return next(text for text, one in self.answers.items() if one == answer)


STEPS = range(1, 6)

KINDS = {
    QuestionKind.SCALE: Entry(
        answers={str(step): step for step in STEPS},
        labels={str(step): str(step) for step in STEPS},
        say=lambda answer: gettext("%(step)d of 5") % {"step": answer},
        apart=lambda one, other: 100.0 * abs(one - other) / (STEPS[-1] - STEPS[0]),
        scale=Scale.ORDINAL,
        made_up=(4, 4, 2, 3, 5),
    ),
    QuestionKind.YES_NO: Entry(
        answers={"yes": True, "no": False},
        labels={"yes": _("yes"), "no": _("no")},
        say=lambda answer: gettext("yes") if answer else gettext("no"),
        apart=lambda one, other: 0.0 if one == other else 100.0,
        scale=Scale.NOMINAL,
        made_up=(True, True, True, True, False),
    ),
}


def find_kind(name: str) -> Entry:
    """Return what there is to know of a kind, by its name as questions keep it."""
    return KINDS[QuestionKind(name)]
