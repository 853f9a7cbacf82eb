"""A pipeline changed while a round opens in it: one is first, and nobody meets an error."""

import contextlib
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.urls import reverse

from curation.problems.models import Problem
from curation.reviewing.pipeline_editor import actions as pipeline_editing
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings, Stage
from curation.reviewing.pipelines.shipped import make_pipeline as make_known
from curation.texts.stage_texts import ONE_REVIEW
from tests.conftest import make_draft, submit
from tests.curation.at_once import at_once, list_refusals
from tests.curation.reviewing.rounds.opened import (
    list_states,
    make_benchmark,
    make_pipeline,
    open_round,
    review,
)
from tests.grading.concurrency import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_others(db) -> None:
    """Leave none of those that migrations make: without a default, one review decides."""
    Stage.objects.all().delete()
    Pipeline.objects.all().delete()


@pytest.fixture
def two(db) -> Pipeline:
    return make_pipeline({"name": "First"}, {"name": "Second"})


@pytest.fixture
def made(contributor, two) -> Problem:
    return make_draft(contributor, make_benchmark(two))


def lock(pipeline: Pipeline) -> tuple[str, int]:
    return "select 1 from curation_pipeline where id = %s for update", pipeline.pk


@contextlib.contextmanager
def under_way(*statements: tuple[str, int]) -> Iterator[Callable[[], None]]:
    """Have another connection do this, and commit it when what this gives is called."""
    other = connection.copy()
    try:
        other.connect()
        other.set_autocommit(False)
        with other.cursor() as cursor:
            for sql, parameter in statements:
                cursor.execute(sql, [parameter])
        yield other.commit
    finally:
        other.close()


def delete(stage: Stage) -> Callable[[], None]:
    """Delete a stage as an admin who has just opened its page."""
    known = pipeline_editing.fingerprint(stage.pipeline)
    return lambda: pipeline_editing.delete_stage(stage=stage, known=known)


@pytest.mark.parametrize("turn", range(5))
def test_a_stage_deleted_while_a_problem_is_submitted_into_it_goes_or_stays_whole(
    made, two, contributor, turn
):
    submitted, deleted = at_once(
        lambda: submit(made, contributor), delete(two.stages.get(name="First"))
    )
    assert submitted == "done"
    states = list_states(made)
    if deleted == "done":
        assert states == [("Second", "open")]
    else:
        assert states == [("First", "open"), ("Second", "ahead")]


def test_who_submits_waits_for_a_deletion_and_begins_at_the_stage_after(made, two, contributor):
    """However the threads are scheduled: it is under way, and not committed."""
    first = two.stages.get(name="First")
    with under_way(lock(two), ("delete from curation_stage where id = %s", first.pk)) as commit:
        with meanwhile(lambda: submit(made, contributor)) as submitted:
            assert not submitted.done()
            commit()
        submitted.result()
    assert list_states(made) == [("Second", "open")]


def test_who_deletes_waits_for_a_submission_under_way(made, two, contributor):
    first = two.stages.get(name="First")
    known = pipeline_editing.fingerprint(two)
    # What opening a round holds until its transaction ends.
    held = "select 1 from curation_pipeline where id = %s for no key update"
    with under_way((held, two.pk)) as commit:
        with meanwhile(lambda: pipeline_editing.delete_stage(stage=first, known=known)) as deleted:
            assert not deleted.done()
            commit()
        deleted.result()
    submit(made, contributor)
    assert list_states(made) == [("Second", "open")]


@pytest.mark.parametrize("turn", range(5))
def test_the_next_stage_deleted_while_a_review_passes_into_it_goes_or_stays_whole(
    made, two, contributor, reviewer, turn
):
    submit(made, contributor)
    waiting = open_round(made)
    reviewed, deleted = at_once(
        lambda: review(waiting, reviewer), delete(two.stages.get(name="Second"))
    )
    assert reviewed == "done"
    made.refresh_from_db()
    assert made.status == ("ACCEPTED" if deleted == "done" else "IN_REVIEW")
    if deleted != "done":
        assert list_states(made) == [("First", "done"), ("Second", "open")]


@pytest.mark.parametrize("turn", range(3))
def test_the_order_of_stages_does_not_change_under_a_problem_that_is_submitted(
    made, two, contributor, turn
):
    known = pipeline_editing.fingerprint(two)
    second = two.stages.get(name="Second")
    submitted, moved = at_once(
        lambda: submit(made, contributor),
        lambda: pipeline_editing.move_stage(stage=second, known=known),
    )
    assert submitted == "done"
    opened = open_round(made)
    assert opened.version.name == ("Second" if moved == "done" else "First")
    # Its number is the place of its stage, by which the next one is found.
    assert opened.number == opened.version.stage.place == 1


@pytest.mark.parametrize("turn", range(3))
def test_a_pipeline_taken_from_its_benchmark_and_deleted_meanwhile_is_told_and_loses_nothing(
    client, made, two, contributor, turn
):
    make_known(ONE_REVIEW)

    def take_and_delete() -> None:
        ReviewSettings.objects.update(pipeline=None)
        pipeline_editing.delete(pipeline=two, known=known)

    known = pipeline_editing.fingerprint(two)
    why_not_submitted, why_not_deleted = list_refusals(
        lambda: submit(made, contributor), take_and_delete
    )
    made.refresh_from_db()
    if why_not_submitted:
        assert "Nothing is lost: try again" in why_not_submitted
        assert made.status == "DRAFT"
        submit(Problem.objects.get(pk=made.pk), contributor)
    names = [name for name, _state in list_states(made)]
    assert names == (["First", "Second"] if why_not_deleted else ["Review"])


def test_the_page_says_so_when_the_pipeline_goes_at_that_moment(client, made, two, contributor):
    make_known(ONE_REVIEW)
    client.force_login(contributor)
    address = reverse("curation:submit", args=[made.pk])
    with under_way(
        lock(two),
        ("update curation_reviewsettings set pipeline_id = null where pipeline_id = %s", two.pk),
        ("delete from curation_stage where pipeline_id = %s", two.pk),
        ("delete from curation_pipeline where id = %s", two.pk),
    ) as commit:
        with meanwhile(lambda: client.post(address, follow=True)) as page:
            assert not page.done()
            commit()
        text = page.result().content.decode()
    assert "Nothing is lost: try again." in text
    made.refresh_from_db()
    assert made.status == "DRAFT"
    client.post(address)
    assert open_round(made).version.name == "Review"
