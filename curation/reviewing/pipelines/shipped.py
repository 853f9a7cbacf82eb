"""The pipelines that every installation comes with, and which one a benchmark goes by."""

from django.db import transaction

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings
from curation.texts.stage_texts import ONE_REVIEWER, STAGES


def find_settings(benchmark: Benchmark) -> ReviewSettings:
    """Return how a benchmark is reviewed; a row that is not kept where nobody said so."""
    found = ReviewSettings.objects.select_related("pipeline").filter(benchmark=benchmark).first()
    return found or ReviewSettings(benchmark=benchmark)


def find_pipeline(benchmark: Benchmark) -> Pipeline:
    """Return the pipeline of a benchmark, or the smallest plan where nobody chose one."""
    return find_settings(benchmark).pipeline or make_pipeline(ONE_REVIEWER)


@transaction.atomic
def make_pipeline(name: str) -> Pipeline:
    """Return one of the pipelines that we ship, as the database has it; made if it is not there."""
    pipeline, is_new = Pipeline.objects.get_or_create(name=name)
    if is_new:
        for place, terms in enumerate(STAGES[name], start=1):
            questions = terms["questions"]
            fields = {key: value for key, value in terms.items() if key != "questions"}
            stage = pipeline.stages.create(place=place, **fields)
            for number, (text, kind) in enumerate(questions, start=1):
                stage.questions.create(place=number, text=text, kind=kind)
    return pipeline
