"""What a board is of, and of which parts of it figures are told."""

from collections.abc import Callable

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions import actions as versioning
from curation.versions.models import BenchmarkVersion
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope
from phybench.people.models import User
from tests.conftest import accept, make_draft
from tests.versions import publish_version

pytestmark = pytest.mark.django_db

Make = Callable[..., BenchmarkVersion]


@pytest.fixture
def make(contributor: User, reviewer: User, benchmark: Benchmark) -> Make:
    """Publish a version of so many problems of each domain, all of one difficulty."""

    def run(**counts: int) -> BenchmarkVersion:
        for domain, count in counts.items():
            for _number in range(count):
                draft = make_draft(contributor, benchmark, domain=domain)
                accept(draft, contributor, reviewer)
        return publish_version(benchmark)

    return run


def test_figures_of_fewer_than_five_problems_are_not_told(make: Make) -> None:
    scope = Scope.of(make(MECHANICS=5, OPTICS=4, MODERN=6))
    assert scope.is_told
    assert not scope.narrow(domain="OPTICS").is_told
    # Without both of the others they would be the rest.
    told = [one for one in ("MECHANICS", "MODERN") if scope.narrow(domain=one).is_told]
    assert told == ["MODERN"]
    assert not scope.narrow(domain="ADVANCED").is_told


def test_both_at_once_are_narrowed_without_asking_again(
    make: Make, django_assert_num_queries
) -> None:
    scope = Scope.of(make(MECHANICS=5, OPTICS=5))
    with django_assert_num_queries(0):
        narrow = scope.narrow(domain="OPTICS", difficulty="HIGH_SCHOOL")
        assert (narrow.count, narrow.is_told) == (5, True)
        assert scope.narrow(difficulty="OLYMPIAD").count == 0


def test_a_withdrawn_problem_is_known_as_a_difference_so_it_hides_no_other(
    make: Make, admin: User, benchmark: Benchmark
) -> None:
    version = make(MECHANICS=5, OPTICS=6)
    optics = Problem.objects.filter(domain="OPTICS").first()
    mechanics = Problem.objects.filter(domain="MECHANICS").first()
    for problem in (optics, mechanics):
        item = version.items.get(problem=problem)
        versioning.withdraw_item(item=item, reason="It has two answers.", by=admin)
    for shown in ({}, {"as": "published"}):
        scope = read_scope(benchmark, shown)
        assert not scope.narrow(domain="MECHANICS").is_told
        # Five are left of optics, but the rest are four.
        assert not scope.narrow(domain="OPTICS").is_told
