"""What a ruling by a person makes of what the grader said; people rule in `grading/disputes`."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from curation.problems.models import Revision
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun, Override, hash_key
from phybench_grader import JudgeError, Verdict
from phybench_grader.verdict.grade import GradedAnswer

RULED = {
    Override.Kind.RIGHT: GradedAnswer(Verdict.CORRECT, accuracy=100.0, eed=100.0),
    Override.Kind.WRONG: GradedAnswer(Verdict.INCORRECT, accuracy=0.0, eed=0.0),
}


def find_overrides(
    run: GradingRun, attempts: Iterable[Attempt], keys: Mapping[int, Revision]
) -> dict[int, Override]:
    """
    Find the ruling that holds for each attempt (by its `pk`) in a run: the newest on its words.

    Args:
        keys: the run's, by revision. A ruling by another key says only what the words mean.
    """
    some = list(attempts)
    taken_up = run.overrides.filter(revision__in={one.revision_id for one in some})
    by_words: dict[tuple[int, str], Override] = {}
    for one in taken_up.order_by("pk"):
        is_reading = one.kind == Override.Kind.READ_AS
        if is_reading or one.key_sha256 == hash_key(keys[one.revision_id]):
            by_words[one.revision_id, one.response] = one
    return {
        one.pk: by_words[one.revision_id, one.response]
        for one in some
        if (one.revision_id, one.response) in by_words
    }


def overrule(
    override: Override, automatic: GradedAnswer | JudgeError, reread: GradedAnswer | JudgeError
) -> GradedAnswer | JudgeError:
    """
    Say what counts where a person ruled.

    Args:
        automatic: what the grader says of the response.
        reread: what it says of the ruling's reading of it, if the ruling is one.
    """
    if override.kind == Override.Kind.READ_AS:
        if isinstance(reread, JudgeError):
            return reread
        # Where it stands in the response is not known.
        return replace(reread, answer_start=0, answer_end=0)
    ruled = RULED[Override.Kind(override.kind)]
    if isinstance(automatic, JudgeError):
        read, typed = automatic.answer_read, automatic.answer_typed
        return replace(ruled, answer_read=read, answer_typed=typed)
    if automatic.verdict is ruled.verdict or (
        ruled.verdict is Verdict.INCORRECT and automatic.verdict is Verdict.PARTIAL
    ):
        return automatic
    # What was read of it stays beside the ruling; how far apart they are says nothing any more.
    return replace(
        ruled,
        reference_read=automatic.reference_read,
        answer_read=automatic.answer_read,
        reference_typed=automatic.reference_typed,
        answer_typed=automatic.answer_typed,
        notes=automatic.notes,
        answer_start=automatic.answer_start,
        answer_end=automatic.answer_end,
    )
