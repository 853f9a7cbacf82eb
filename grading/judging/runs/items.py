"""From rows to what is judged: an answer, a pair of them, an item of a file, or a canary."""

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.judging.engine.configuration import Configuration
from grading.judging.given import read_item
from grading.judging.models import JudgeItem
from grading.judging.pairs.matching import match
from phybench_grader.judges import TruthKind
from phybench_grader.judges.items import Item


def make_item(attempt: Attempt, solver: str) -> Item:
    """Make what is judged of an attempt; its solver's name is there so that none judges itself."""
    revision = attempt.revision
    return Item(
        id=attempt.pk,
        question=revision.statement,
        response=attempt.response,
        references=(revision.answer,) if revision.answer.strip() else (),
        reference_solution=revision.solution,
        type=TruthKind.EXPRESSION,
        model=solver,
    )


def make_pair(first: Attempt, second: Attempt, solvers: tuple[str, str]) -> Item:
    """Make what is judged of two answers to one revision."""
    revision = first.revision
    return Item(
        id=first.pk,
        question=revision.statement,
        first=first.response,
        second=second.response,
        references=(revision.answer,) if revision.answer.strip() else (),
        model=solvers[0],
        second_model=solvers[1],
    )


def list_items(submission: Submission, other: Submission | None) -> list[Item]:
    """List what a run over a submission, or over two of them, is about; canaries come besides."""
    attempts = submission.attempts.select_related("revision").order_by("pk")
    if other is None:
        return [make_item(one, submission.solver.name) for one in attempts]
    theirs = other.attempts.select_related("revision").order_by("pk")
    solvers = (submission.solver.name, other.solver.name)
    return [make_pair(first, second, solvers) for first, second in match(attempts, theirs).pairs]


def find_item(row: JudgeItem, configuration: Configuration) -> Item:
    """Return what a row's work is about: an answer, a pair, an item of a file, or a canary."""
    run = row.run
    if row.given is not None:
        return read_item(row.given)
    if row.attempt and row.other and run.submission and run.other:
        solvers = (run.submission.solver.name, run.other.solver.name)
        return make_pair(row.attempt, row.other, solvers)
    if row.attempt is not None and run.submission is not None:
        return make_item(row.attempt, run.submission.solver.name)
    # Among those of all languages: an older run has tried its judges in English alone.
    kind, turns = configuration.kind, configuration.variant.turns
    canaries = [*kind.list_canaries(turns), *kind.list_empty_answers(turns)]
    [canary] = [one for one in canaries if one.canary == row.canary]
    return canary
