"""Two submissions side by side: which of their answers are compared, and which can't be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.judging.models import JudgeRun


class LeftOut(StrEnum):
    """Why an answer has none to be compared with."""

    ONLY_FIRST = "only_the_first_answered"
    ONLY_SECOND = "only_the_second_answered"
    ANOTHER_REVISION = "the_text_changed_between"


@dataclass(frozen=True, slots=True)
class Matched:
    """What two submissions have in common, and what not."""

    pairs: Sequence[tuple[Attempt, Attempt]]
    left_out: Sequence[tuple[Attempt, LeftOut]]

    @property
    def reasons(self) -> list[tuple[LeftOut, int]]:
        return Counter(why for _attempt, why in self.left_out).most_common()


def match(first: Iterable[Attempt], second: Iterable[Attempt]) -> Matched:
    """
    Pair answers to the same revision, the k-th of one submission with the k-th of the other.

    The samples of a problem are exchangeable, so any fixed pairing is fair; this one asks about
    each answer once. A problem whose text changed between the submissions is left out once.
    """
    ours = {(one.revision_id, one.sample): one for one in first}
    theirs = {(one.revision_id, one.sample): one for one in second}
    of_ours, of_theirs = _list_places(ours.values()), _list_places(theirs.values())
    left_out: list[tuple[Attempt, LeftOut]] = []
    for key, one in ours.items():
        if key not in theirs:
            has_changed = _place(one) in of_theirs
            left_out.append((one, LeftOut.ANOTHER_REVISION if has_changed else LeftOut.ONLY_FIRST))
    left_out += [
        (one, LeftOut.ONLY_SECOND)
        for key, one in theirs.items()
        if key not in ours and _place(one) not in of_ours
    ]
    pairs = [(one, theirs[key]) for key, one in ours.items() if key in theirs]
    return Matched(pairs, left_out)


def match_submissions(first: Submission, second: Submission) -> Matched:
    """Pair the answers of two submissions, without their texts."""
    texts = ("response", "revision__statement", "revision__solution", "revision__answer")
    one, other = (
        made.attempts.select_related("revision__problem").defer(*texts).order_by("pk")
        for made in (first, second)
    )
    return match(one, other)


def _place(attempt: Attempt) -> tuple[int, int]:
    return attempt.revision.problem_id, attempt.sample


def _list_places(attempts: Iterable[Attempt]) -> set[tuple[int, int]]:
    return {_place(one) for one in attempts}


def name_sides(run: JudgeRun) -> tuple[str, str]:
    """Name the two that a run compares; both may be one solver's."""
    assert run.submission is not None
    assert run.other is not None
    return name_both(run.submission, run.other)


def name_both(first: Submission, second: Submission) -> tuple[str, str]:
    if first.solver_id == second.solver_id:
        return f"{first.solver} (#{first.pk})", f"{second.solver} (#{second.pk})"
    return str(first.solver), str(second.solver)
