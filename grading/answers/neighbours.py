"""What stands beside one answer in its submission: the next ones, and those to the same problem."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from grading.answers.models import Attempt, with_grade
from grading.answers.results.marks import MARKS, say_kind
from grading.answers.results.rows import name_kind


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
    """The answers before and behind one in the list of its submission, and the other samples."""

    previous: Attempt | None = None
    next: Attempt | None = None
    samples: Sequence[Sample] = ()

    @property
    def tell_verdicts(self) -> bool:
        return any(sample.tells_verdict for sample in self.samples)


def find_neighbours(attempt: Attempt) -> Neighbours:
    """Find them; a person's own answers stand in no submission."""
    if attempt.submission is None:
        return Neighbours()
    # The list shows answers in this order, and no response is needed of them.
    listed = (
        attempt.submission.attempts.select_related("revision__problem")
        .defer("response")
        .order_by("pk")
    )
    samples = with_grade(attempt.submission.attempts.filter(revision=attempt.revision_id))
    return Neighbours(
        previous=listed.filter(pk__lt=attempt.pk).last(),
        next=listed.filter(pk__gt=attempt.pk).first(),
        samples=[
            _describe(one, one.verdict, is_shown=one.pk == attempt.pk)
            for one in samples.defer("response").order_by("sample")
        ],
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
