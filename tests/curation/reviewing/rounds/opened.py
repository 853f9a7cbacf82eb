"""What tests of review begin with: a benchmark of three stages, and people to pass them."""

from typing import Any

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.agreement.actions import adjudicate, count_heard
from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import Pipeline, ReviewSettings
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.stages import list_stages
from curation.texts.stage_texts import THREE_STAGES
from phybench.people.models import User


def make_benchmark(pipeline: Pipeline | None = None) -> Benchmark:
    """Make a benchmark that goes by the three stages, or by another pipeline."""
    made = Benchmark.objects.create(name="Three stages", slug="three")
    chosen = pipeline or shipped.make_pipeline(THREE_STAGES)
    ReviewSettings.objects.create(benchmark=made, pipeline=chosen)
    return made


def make_pipeline(*stages: dict[str, Any]) -> Pipeline:
    pipeline = Pipeline.objects.create(name="Of this test")
    for place, stage in enumerate(stages, start=1):
        pipeline.stages.create(place=place, **{"name": f"Stage {place}", **stage})
    return pipeline


def open_round(problem: Problem) -> ReviewRound:
    return ReviewRound.objects.open().get(revision__problem=problem)


def answer_all(review_round: ReviewRound) -> dict[str, int | bool]:
    """Answer each question of a round as somebody content would."""
    return {
        question.key: 4 if question.kind == "SCALE" else True
        for question in review_round.version.questions.all()
    }


def review(
    review_round: ReviewRound,
    reviewer: User,
    recommendation: str = "ACCEPT",
    comment: str = "",
    **options: Any,
) -> Review:
    return submit_review(
        review_round=review_round,
        reviewer=reviewer,
        recommendation=recommendation,
        comment=comment or ("" if recommendation == "ACCEPT" else "Because."),
        **{"answers": answer_all(review_round), **options},
    )


def decide_round(review_round: ReviewRound, admin: User, step: str, reason: str) -> Adjudication:
    """Have somebody decide a round who has read all that was said in it."""
    return adjudicate(
        review_round=review_round,
        admin=admin,
        step=step,
        reason=reason,
        known=review_round.adjudications.count(),
        heard=count_heard(review_round),
    )


def solve(review_round: ReviewRound, reviewer: User, answer: str = "m g h") -> None:
    reviewing.solve_blind(
        review_round=review_round, reviewer=reviewer, kind="ANSWER", answer=answer
    )


def pass_first_stages(problem: Problem, reviewer: User) -> ReviewRound:
    """Let one person accept everything up to the blind stage, and return that."""
    while not (waiting := open_round(problem)).version.is_blind:
        review(waiting, reviewer)
    return waiting


def list_states(problem: Problem) -> list[tuple[str, str]]:
    """List the stages of a problem, and how far each is."""
    return [(stage.name, stage.state) for stage in list_stages(problem)]
