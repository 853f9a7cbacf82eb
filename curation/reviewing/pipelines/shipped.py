"""The pipelines that every installation comes with, and which one a benchmark goes by."""

from typing import Any

from django.db import transaction

from curation.problems.models import Benchmark
from curation.reviewing.kinds import QuestionKind
from curation.reviewing.pipelines.models import Pipeline
from curation.workflow import Rule

ONE_REVIEW = "One review"
"""For a small group: one stage, decided by as many reviews as `REVIEWS_PER_ROUND` says."""
THREE_STAGES = "Screening, ambiguity, final solving"
"""PHYBench's: the last stage is for people who have not seen the answer."""

YES_NO, SCALE = QuestionKind.YES_NO, QuestionKind.SCALE
STAGES: dict[str, list[dict[str, Any]]] = {
    ONE_REVIEW: [
        {
            "name": "Review",
            "rule": Rule.ANY_VETO,
            "questions": [],
        }
    ],
    THREE_STAGES: [
        {
            "name": "Screening",
            "instructions": "Is this a problem for the benchmark at all? You need not solve it.",
            "rule": Rule.ANY_VETO,
            # Who screens it can still be one of those who solve it: three reviewers suffice.
            "shows_key": False,
            "due_days": 7,
            # A later revision is checked for its form when it is submitted.
            "asks_again": False,
            "questions": [
                ("Is it well formed: complete sentences, formulas that are drawn?", YES_NO),
                ("Can it be understood from its text alone, without a figure?", YES_NO),
                ("Does it ask for one expression, in symbols that it names?", YES_NO),
                ("Is its level as stated?", YES_NO),
                ("Is the scenario a real one: could it happen as described?", YES_NO),
            ],
        },
        {
            "name": "Ambiguity",
            "instructions": "Could somebody who knows the physics read it in another way? Look at "
            "what models answered: where they differ from the reference, is it their mistake?",
            "rule": Rule.ANY_VETO,
            "shows_answers": True,
            "due_days": 14,
            "questions": [
                ("Does the statement allow one reading only?", YES_NO),
                ("How clear is it? 5 is best.", SCALE),
            ],
        },
        {
            "name": "Final solving",
            "instructions": "Solve it with what is stated, as a participant would.",
            "rule": Rule.BLIND_SOLVES,
            "is_blind": True,
            "reviews_needed": 2,
            "solves_needed": 2,
            "due_days": 14,
            "questions": [
                ("Does the solution lead to the answer without a gap?", YES_NO),
                ("How hard was it? 5 is hardest.", SCALE),
            ],
        },
    ],
}


def find_pipeline(benchmark: Benchmark) -> Pipeline:
    """Return the pipeline of a benchmark, or the default; made anew where there is none."""
    if benchmark.pipeline:
        return benchmark.pipeline
    default = Pipeline.objects.filter(is_default=True).first()
    return default or make_pipeline(THREE_STAGES, is_default=True)


@transaction.atomic
def make_pipeline(name: str, *, is_default: bool = False) -> Pipeline:
    """Return one of the pipelines above, as it stands in the database, made if it is not there."""
    pipeline, is_new = Pipeline.objects.get_or_create(
        name=name, defaults={"is_default": is_default}
    )
    if is_new:
        for place, terms in enumerate(STAGES[name], start=1):
            questions = terms["questions"]
            fields = {key: value for key, value in terms.items() if key != "questions"}
            stage = pipeline.stages.create(place=place, **fields)
            for number, (text, kind) in enumerate(questions, start=1):
                stage.questions.create(place=number, text=text, kind=kind)
    return pipeline
