"""What tests of assignments begin with: rounds of a pipeline made for the test."""

from typing import Any

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.rounds.models import Assignment, ReviewRound
from phybench.people.models import User
from tests.conftest import make_draft, submit
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline


def open_rounds(author: User, *stages: dict[str, Any], count: int = 1) -> list[ReviewRound]:
    benchmark = make_benchmark(make_pipeline(*(stages or [{}])))
    return [submit(make_draft(author, benchmark), author) for _ in range(count)]


def assign(review_round: ReviewRound, reviewer: User, admin: User, **options: Any) -> Assignment:
    return assigning.assign(review_round=review_round, reviewer=reviewer, admin=admin, **options)
