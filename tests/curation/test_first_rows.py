"""The rows that a new database comes with."""

import pytest
from django.apps import apps
from django.forms.models import model_to_dict

from curation.migrations import _by_hand
from curation.problems.benchmarks.models import Benchmark
from curation.problems.people.models import DEFAULT_POINTS, ContributionWeight
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.texts.stage_texts import ONE_REVIEW, THREE_STAGES, say

pytestmark = pytest.mark.django_db


def test_a_benchmark_that_names_no_pipeline_goes_through_three_stages():
    forget_pipelines()
    _by_hand.make_pipelines(apps, None)
    new = Benchmark.objects.create(name="New", slug="new")
    assert shipped.find_pipeline(new).name == THREE_STAGES


def test_the_pipelines_of_the_migration_are_those_of_the_code():
    forget_pipelines()
    _by_hand.make_pipelines(apps, None)
    by_migration = describe()
    forget_pipelines()
    shipped.make_pipeline(ONE_REVIEW)
    shipped.make_pipeline(THREE_STAGES, is_default=True)
    assert describe() == by_migration


def test_the_weights_of_the_migration_are_those_of_the_code():
    ContributionWeight.objects.all().delete()
    _by_hand.make_weights(apps, None)
    made = ContributionWeight.objects.values_list("kind", "points")
    assert dict(made) == DEFAULT_POINTS


def forget_pipelines() -> None:
    Stage.objects.all().delete()
    Pipeline.objects.all().delete()


def describe() -> list[dict[str, object]]:
    stages = Stage.objects.select_related("pipeline").order_by("pipeline__name", "place")
    return [
        {
            **model_to_dict(stage, exclude=["id", "pipeline"]),
            # What an older installation has is read in the words of today.
            "instructions": say(stage.instructions),
            "pipeline": (stage.pipeline.name, stage.pipeline.is_default),
            "questions": list(
                stage.questions.order_by("place").values_list("text", "kind", "is_required")
            ),
        }
        for stage in stages
    ]
