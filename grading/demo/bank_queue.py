"""Answers of a bank that are handed in and not graded: work for workers, as much as one likes."""

from collections.abc import Iterator, Sequence

from curation.problems.models import Revision
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.demo.bank_answers import MODELS
from grading.demo.bank_rows import DemoBank, store
from grading.solvers.models import Organisation, Solver
from phybench.people.models import User


def hand_in(
    bank: DemoBank, answered: Sequence[Revision], organisation: Organisation, uploader: User
) -> list[Attempt]:
    """Have each model answer every problem once."""
    version = bank.benchmark.versions.get()
    solvers = store(
        [
            Solver(
                organisation=organisation,
                name=f"Bank queue {number} (synthetic)",
                kind=Solver.Kind.MODEL,
                is_demo=True,
            )
            for number in range(1, bank.size.models + 1)
        ]
    )
    submissions = store(
        [
            Submission(
                solver=solver,
                benchmark=bank.benchmark,
                version=version,
                number=1,
                uploaded_by=uploader,
                file_name="bank-queue.json",
                file_sha256="0" * 64,
                expected=len(answered),
            )
            for solver in solvers
        ]
    )
    return store([one for each in submissions for one in _answer_all(bank, answered, each)])


def _answer_all(
    bank: DemoBank, answered: Sequence[Revision], submission: Submission
) -> Iterator[Attempt]:
    source = {row["answer"].strip(): row["answers"] for row in bank.source}
    for revision in answered:
        given = [one for level in MODELS if (one := source[revision.answer].get(level))]
        response = bank.chance.choice([*given, revision.answer])
        if bank.chance.random() < bank.size.in_own_words:
            response = f"{submission.solver.name} answers: $\\boxed{{{response}}}$"
        yield Attempt(
            solver=submission.solver,
            submission=submission,
            revision=revision,
            origin=Attempt.Origin.FILE,
            response=response,
        )
