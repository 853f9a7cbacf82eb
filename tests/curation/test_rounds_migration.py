"""Rounds and reviews from before there were stages, on a database that has some."""

from importlib import import_module

import pytest
from django.apps import apps

from curation.drafts import actions
from curation.problems.models import Benchmark
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.workflow import Status
from tests.curation.reviewing.rounds.opened import review

pytestmark = pytest.mark.django_db
make_pipelines = import_module("curation.migrations.0008_rounds").make_pipelines


@pytest.fixture
def before(draft, contributor) -> ReviewRound:
    """Leave an open round as the migration finds it: of no stage."""
    review_round = actions.submit(problem=draft, author=contributor)
    ReviewRound.objects.update(stage=None)
    Benchmark.objects.update(pipeline=None)
    Stage.objects.all().delete()
    Pipeline.objects.all().delete()
    return ReviewRound.objects.get(pk=review_round.pk)


def test_a_round_from_before_is_decided_as_it_was_and_accepts(before, draft, reviewer):
    assert [stage.state for stage in list_stages(draft)] == ["open"]
    review(before, reviewer)
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED


def test_benchmarks_from_before_keep_one_review_and_new_ones_go_through_three_stages(before):
    make_pipelines(apps)
    there = Benchmark.objects.get()
    assert there.pipeline.name == shipped.ONE_REVIEW
    new = Benchmark.objects.create(name="New", slug="new")
    assert shipped.find_pipeline(new).name == shipped.THREE_STAGES


def test_the_pipelines_of_the_migration_are_those_of_the_code(before):
    make_pipelines(apps)
    by_migration = describe()
    Stage.objects.all().delete()
    Benchmark.objects.update(pipeline=None)
    Pipeline.objects.all().delete()
    shipped.make_pipeline(shipped.ONE_REVIEW)
    shipped.make_pipeline(shipped.THREE_STAGES, is_default=True)
    assert describe() == by_migration


def describe() -> list[tuple[object, ...]]:
    described = []
    for stage in Stage.objects.select_related("pipeline").order_by("pipeline__name", "place"):
        terms = stage.copy_terms()
        asked = [(one["text"], one["kind"], one["is_required"]) for one in terms.pop("questions")]
        facts = (stage.pipeline.name, stage.pipeline.is_default, stage.due_days, stage.asks_again)
        described.append((*facts, sorted(terms.items()), asked))
    return described
