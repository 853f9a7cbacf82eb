"""The rows that a new database comes with, and a round of no stage."""

import pytest
from django.apps import apps

from curation.drafts import actions
from curation.migrations import _by_hand
from curation.people.models import DEFAULT_POINTS, ContributionWeight
from curation.problems.models import Benchmark
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.workflow import Status
from tests.curation.reviewing.rounds.opened import review

pytestmark = pytest.mark.django_db


def test_a_round_of_no_stage_is_decided_by_its_own_terms_and_accepts(draft, contributor, reviewer):
    before = actions.submit(problem=draft, author=contributor)
    ReviewRound.objects.update(stage=None)
    Benchmark.objects.update(pipeline=None)
    forget_pipelines()
    before = ReviewRound.objects.get(pk=before.pk)
    assert [stage.state for stage in list_stages(draft)] == ["open"]
    review(before, reviewer)
    draft.refresh_from_db()
    assert draft.status == Status.ACCEPTED


def test_a_benchmark_that_names_no_pipeline_goes_through_three_stages():
    forget_pipelines()
    _by_hand.make_pipelines(apps, None)
    new = Benchmark.objects.create(name="New", slug="new")
    assert shipped.find_pipeline(new).name == shipped.THREE_STAGES


def test_the_pipelines_of_the_migration_are_those_of_the_code():
    forget_pipelines()
    _by_hand.make_pipelines(apps, None)
    by_migration = describe()
    forget_pipelines()
    shipped.make_pipeline(shipped.ONE_REVIEW)
    shipped.make_pipeline(shipped.THREE_STAGES, is_default=True)
    assert describe() == by_migration


def test_the_weights_of_the_migration_are_those_of_the_code():
    ContributionWeight.objects.all().delete()
    _by_hand.make_weights(apps, None)
    made = ContributionWeight.objects.values_list("kind", "points")
    assert dict(made) == DEFAULT_POINTS


def forget_pipelines() -> None:
    Stage.objects.all().delete()
    Pipeline.objects.all().delete()


def describe() -> list[tuple[object, ...]]:
    described = []
    for stage in Stage.objects.select_related("pipeline").order_by("pipeline__name", "place"):
        terms = stage.copy_terms()
        asked = [(one["text"], one["kind"], one["is_required"]) for one in terms.pop("questions")]
        facts = (stage.pipeline.name, stage.pipeline.is_default, stage.due_days, stage.asks_again)
        described.append((*facts, sorted(terms.items()), asked))
    return described
