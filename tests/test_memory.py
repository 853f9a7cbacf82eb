"""What the tests stand on: rows that come back as they were, and commits within a transaction."""

import contextlib
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from curation.problems.benchmarks.models import Benchmark, DomainGoal
from curation.problems.people.models import ContributionWeight
from curation.reviewing.pipelines import shipped
from curation.texts.stage_texts import ONE_REVIEW
from tests.databases import Rows, read_rows, restore
from tests.memory import Memory


class UndoneError(Exception):
    """Takes back what was done in a block."""


@pytest.fixture
def memory(db) -> Memory:
    return Memory()


def make_new() -> Benchmark:
    """Add a row and change one, if it is there."""
    Benchmark.objects.filter(slug="old").update(name="Changed")
    return Benchmark.objects.create(name="New", slug="new")


def make_in_a_test(memory: Memory, *, wrote: str = "") -> tuple[Benchmark, Rows]:
    """Make two things, one after the other, as a test does that may have written between."""
    with contextlib.suppress(UndoneError), transaction.atomic(), memory.begin():
        memory.make("old", lambda: Benchmark.objects.create(name="Old", slug="old"))
        if wrote:
            Benchmark.objects.create(name=wrote, slug=wrote)
        made = memory.make("new", make_new), read_benchmarks()
        raise UndoneError
    return made


def read_benchmarks() -> Rows:
    return {place: row for place, row in read_rows().items() if place[0] == "curation_benchmark"}


def test_what_was_made_comes_back_as_it_was_and_is_not_made_again(memory):
    first, rows = make_in_a_test(memory)
    assert [row.split(",")[1] for row in rows.values()] == ["Changed", "New"]
    again, same_rows = make_in_a_test(memory)
    assert (again, again.created_at, same_rows) == (first, first.created_at, rows)


def test_where_something_else_was_written_it_is_made_anew(memory):
    first, _rows = make_in_a_test(memory)
    again, rows = make_in_a_test(memory, wrote="other")
    assert again != first
    assert len(rows) == 3


def test_changed_settings_are_another_beginning(memory, settings):
    made = []
    for reviews in (1, 2):
        settings.REVIEWS_PER_ROUND = reviews
        with memory.begin():
            memory.make("one", lambda: made.append("made"))
    assert made == ["made", "made"]


def test_what_waits_for_a_commit_is_done_when_the_outermost_transaction_ends(commits):
    done: list[str] = []
    with transaction.atomic():
        with transaction.atomic():
            transaction.on_commit(partial(done.append, "inner"))
        assert done == []
    assert done == ["inner"]
    transaction.on_commit(partial(done.append, "at once"))
    with contextlib.suppress(UndoneError), transaction.atomic():
        transaction.on_commit(partial(done.append, "never"))
        raise UndoneError
    assert done == ["inner", "at once"]


def test_what_a_commit_refuses_is_refused_there(commits):
    with pytest.raises(IntegrityError), transaction.atomic():
        DomainGoal.objects.create(benchmark_id=-1, domain="OPTICS", goal=1)


@pytest.mark.django_db(transaction=True)
def test_what_a_test_has_committed_is_taken_back():
    before = read_rows()
    ContributionWeight.objects.filter(kind="AUTHORED").update(points=99)
    shipped.make_pipeline(ONE_REVIEW)
    assert read_rows() != before
    restore()
    assert read_rows() == before
