"""What stands beside one answer in its submission: the next ones, and those to the same problem."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from grading.answers.models import Attempt, with_grade
from grading.submissions.results.listed import count_most, list_results, write_narrowed
from grading.submissions.results.marks import MARKS, say_kind
from grading.submissions.results.rows import list_problems, name_kind


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the answers that a model gave to the same problem."""

    number: int
    url: str
    mark: str
    look: str
    """The class of its colour."""
    title: str
    is_shown: bool
    """Whether it is the one whose page this is."""
    tells_verdict: bool


@dataclass(frozen=True, slots=True)
class Neighbours:
    """
    The answers before and behind one in the list of its submission, and the other samples.

    The list is the one that its reader came from, narrowed and sorted as they had it.
    """

    asked_for: str = ""
    """How the addresses of that list, and of the answers in it, end."""

    previous: Attempt | None = None
    next: Attempt | None = None
    samples: Sequence[Sample] = ()

    @property
    def tell_verdicts(self) -> bool:
        return any(sample.tells_verdict for sample in self.samples)


def find_neighbours(attempt: Attempt, request: HttpRequest) -> Neighbours:
    """Find them; a person's own answers stand in no submission."""
    if attempt.submission is None:
        return Neighbours()
    asked_for = write_narrowed(request.GET)
    most = count_most(attempt.submission)
    beside = _find_beside(attempt, list_results(request, attempt.submission, most=most).rows)
    if beside is None:
        beside = _find_beside(attempt, list_problems(attempt.submission).order_by("pk"))
    samples = with_grade(attempt.submission.attempts.filter(revision=attempt.revision_id))
    previous, following = beside or (None, None)
    return Neighbours(
        asked_for=asked_for,
        previous=previous,
        next=following,
        samples=[
            _describe(one, one.verdict, is_shown=one.pk == attempt.pk)
            for one in samples.defer("response").order_by("sample")
        ],
    )


def _find_beside(
    attempt: Attempt, problems: QuerySet[Problem]
) -> tuple[Attempt | None, Attempt | None] | None:
    """Find the answers before and behind one in a list; None where it does not stand in it."""
    assert attempt.submission is not None
    given = attempt.submission.attempts
    answered = problems.filter(pk__in=given.order_by().values("revision__problem"))
    order = list(answered.values_list("pk", flat=True))
    if attempt.revision.problem_id not in order:
        return None
    place = order.index(attempt.revision.problem_id)
    near = order[max(0, place - 1) : place + 2]
    # No response is needed of them.
    answers = sorted(
        given.filter(revision__problem__in=near)
        .select_related("revision__problem")
        .defer("response"),
        key=lambda one: (near.index(one.revision.problem_id), one.sample),
    )
    here = answers.index(attempt)
    return (
        answers[here - 1] if here else None,
        answers[here + 1] if here + 1 < len(answers) else None,
    )


def _describe(attempt: Attempt, verdict: str | None, *, is_shown: bool) -> Sample:
    kind = name_kind(attempt.status, verdict)
    return Sample(
        number=attempt.sample,
        url=attempt.get_absolute_url(),
        mark=MARKS[kind],
        look=f"verdict-{kind.lower()}",
        title=_("Sample %(number)d: %(verdict)s")
        % {"number": attempt.sample, "verdict": say_kind(kind)},
        is_shown=is_shown,
        tells_verdict=attempt.tells_verdict,
    )
