"""What lies before the person who rules: both sides' values, and what another reading would get."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from curation.problems.models import Revision
from grading.answers.models import Attempt
from grading.answers.runs.models import RunKey
from grading.answers.symbolic import judge
from phybench.work import sandbox
from phybench_grader import JudgeError, Verdict
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.verdict.declarations import Undeclarable
from phybench_grader.verdict.grade import GradedAnswer
from phybench_grader.verdict.values import Values, compare_values


def find_key(attempt: Attempt) -> Revision:
    """Return the revision by whose key the answer is graded now."""
    used = RunKey.objects.in_use().filter(revision=attempt.revision_id)
    found = used.select_related("key__problem").first()
    return found.key if found else attempt.revision


@dataclass(frozen=True, slots=True)
class Compared:
    """Values of an answer and its key at a few points, or why there are none."""

    values: Values | None = None
    why_not: "str | Sentence" = ""


def compare(text: str, key: Revision, *, read_as: str = "") -> Compared:
    """Evaluate an answer beside a key, where it can do no harm."""
    try:
        values = sandbox.run(
            compare_values,
            text,
            key.answer,
            declared=_ask(key),
            read_as=read_as,
            deadline=settings.RULING_DEADLINE_SECONDS,
        )
    except Unreadable as unreadable:
        return Compared(why_not=unreadable.message)
    except JudgeError as error:
        return Compared(why_not=error.message)
    except sandbox.Stopped:
        return Compared(why_not=_("Calculating their values takes too long."))
    why_not = {
        "no_point": _("We found no point at which both have a value."),
        "not_computed": _("One of the two has a function whose values we can’t calculate."),
        "": "",
    }[values.reason]
    return Compared(values, why_not)


@dataclass(frozen=True, slots=True)
class Tried:
    """What the grader would say of a text, were the answer written so."""

    text: str
    graded: GradedAnswer | None
    why_not: "str | Sentence" = ""
    """Why it would have no verdict but “could not be read”, or none at all."""
    compared: Compared | None = None

    @property
    def is_readable(self) -> bool:
        return self.graded is not None and self.graded.verdict is not Verdict.UNREADABLE


def try_reading(text: str, key: Revision, *, with_values: bool = True) -> Tried:
    """Grade what a person would read an answer as."""
    try:
        graded = judge(
            text, key.answer, declared=_ask(key), deadline=settings.RULING_DEADLINE_SECONDS
        )
    except JudgeError as error:
        return Tried(text, None, error.message)
    if graded.verdict is Verdict.UNREADABLE:
        return Tried(text, graded, graded.message or "")
    found = compare(text, key, read_as=graded.answer_read) if with_values else None
    return Tried(text, graded, compared=found)


def _ask(key: Revision) -> Question:
    try:
        return key.reference.question
    except Undeclarable as error:
        raise JudgeError("reference_unreadable", error.message) from None
