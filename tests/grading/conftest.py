"""A benchmark of a few accepted problems, and answers to them."""

import json
from collections.abc import Callable

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from grading.answers.submissions.models import Submission
from phybench.people.models import User
from tests import versions
from tests.conftest import accept, make_draft
from tests.memory import remembered
from tests.organisations import organisation_of

ANSWERS = ("m g h", r"\frac{a}{b}", r"2mg + 4m\frac{v_0^2}{l}", "x + y", r"\sqrt{2 g h}")
"""Reference answers of the problems, in their order."""
STATEMENT = (
    "Given are the mass $m$, the height $h$, the length $l$, the speed $v_0$, the acceleration $g$"
    " and the numbers $a$, $b$, $x$ and $y$. What comes of them?"
)


@pytest.fixture
@remembered
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [
        accept(
            make_draft(
                contributor,
                benchmark,
                title=f"Problem {number}",
                statement=STATEMENT,
                answer=answer,
            ),
            contributor,
            reviewer,
        )
        for number, answer in enumerate(ANSWERS, start=1)
    ]


@pytest.fixture
def revision(problems: list[Problem]) -> Revision:
    return problems[0].revisions.get()


def make_file(*rows: tuple[Problem | str | int, str], model: str = "A model") -> bytes:
    """Write an answers file: pairs of a problem, or an id, and an answer."""
    return json.dumps(
        [
            {
                "id": which.identifier if isinstance(which, Problem) else which,
                "model": model,
                "model_answer": answer,
            }
            for which, answer in rows
        ]
    ).encode()


HandIn = Callable[..., Submission]


@pytest.fixture
def hand_in(evaluator: User, benchmark: Benchmark) -> HandIn:
    """Hand in a model's answers: pairs of a problem and an answer."""

    def run(
        *rows: tuple[Problem | str | int, str],
        model: str = "A model",
        by: User = evaluator,
        is_named: bool = False,
    ) -> Submission:
        [submission] = versions.hand_in(
            organisation=organisation_of(by),
            benchmark=benchmark,
            uploaded_by=by,
            file_name="answers.json",
            content=make_file(*rows, model=model),
            is_named=is_named,
        )
        return submission

    return run
