"""Open and close rounds of review.

Whoever calls these holds the problem’s row: a stage is closed once, and the next opened once.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from statistics import mean
from typing import Any, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Revision
from curation.problems.people import contributions
from curation.reports import errata
from curation.reviewing.pipelines.models import Pipeline, Stage, VersionQuestion
from curation.reviewing.rounds.models import ReviewRound, RoundDisagreement
from curation.texts.review_kinds import Answer, find_kind
from curation.texts.workflow import (
    NotAllowedNow,
    Opinion,
    Recommendation,
    SolveOutcome,
    Step,
    conclude,
    decide,
)
from phybench.pages.sentences import chain
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence


def open_first(revision: Revision, pipeline: Pipeline) -> ReviewRound:
    """
    Open the first stage that this revision has yet to pass.

    What an earlier revision passed stays passed, where the stage does not ask again: that is a
    round of this revision too, closed from the start, which says whose passing it carries over.

    Raises:
        NotAllowedNow: the pipeline has no stages, or was deleted meanwhile.
    """
    stages = _hold_stages(pipeline)
    passed = _find_passed(revision)
    for stage in stages:
        earlier = passed.get(stage.pk)
        # Something has to be open: the last stage is never carried over.
        if stage.asks_again or earlier is None or stage is stages[-1]:
            return _open(revision, stage)
        # The one that was really reviewed.
        _open(revision, stage, earlier.carried_from or earlier)
    raise NotAllowedNow(
        _("The review plan “%(name)s” has no stages yet: an admin has to give it one.")
        % {"name": pipeline}
    )


def _hold_stages(pipeline: Pipeline) -> list[Stage]:
    """
    Return the stages as they are now; nobody changes or deletes one before this transaction ends.

    A round may then cite any of them: who deletes a stage looks for such rounds afterwards.
    """
    # Whoever changes a pipeline holds it too, see `pipeline_editor.actions`.
    if not Pipeline.objects.select_for_update(no_key=True).filter(pk=pipeline.pk):
        raise NotAllowedNow(
            _("The review stages have just been changed. Nothing is lost: try again.")
        )
    return list(pipeline.stages.order_by("place"))


def _find_passed(revision: Revision) -> dict[int, ReviewRound]:
    """Return, for each stage that an earlier revision passed, the newest round that says so."""
    rounds = (
        ReviewRound.objects.filter(
            revision__problem=revision.problem_id,
            revision__number__lt=revision.number,
            decision__in=[Step.PASS, Step.ACCEPT],
        )
        .select_related("version")
        .order_by("revision__number")
    )
    return {one.version.stage_id: one for one in rounds}


def _open(revision: Revision, stage: Stage, carried_from: ReviewRound | None = None) -> ReviewRound:
    """Open a stage; where its passing is carried over, it is closed from the start."""
    now = timezone.now()
    is_due = stage.due_days and carried_from is None
    return ReviewRound.objects.create(
        revision=revision,
        version=stage.freeze(),
        number=stage.place,
        opened_at=now,
        due_at=now + timedelta(days=stage.due_days or 0) if is_due else None,
        closed_at=now if carried_from else None,
        decision=Step.PASS if carried_from else "",
        carried_from=carried_from,
        reviews_needed=stage.count_needed(),
    )


def _find_next(review_round: ReviewRound) -> Stage | None:
    """Return the stage after this round's, in the pipeline that it was opened by."""
    stages = _hold_stages(review_round.version.stage.pipeline)
    return next((stage for stage in stages if stage.place > review_round.number), None)


def weigh(review_round: ReviewRound) -> None:
    """Keep how far what was said last is apart, and close the round once its rule decides."""
    aside = review_round.set_aside.values("person")
    reviews = review_round.reviews.newest().exclude(reviewer__in=aside)
    said = list(reviews.values_list("reviewer", "recommendation", "answers"))
    given = review_round.solves.exclude(reviewer__in=aside)
    solves = dict(given.values_list("reviewer", "outcome"))
    measured = describe(
        [(recommendation, answers) for _reviewer, recommendation, answers in said],
        solves.values(),
        review_round.version.questions.all(),
    )
    # One statement; `update_or_create` takes six, in each review.
    RoundDisagreement.objects.bulk_create(
        [RoundDisagreement(round=review_round, **measured)],
        update_conflicts=True,
        unique_fields=["round"],
        update_fields=list(measured),
    )
    opinions = [
        Opinion(
            Recommendation(recommendation),
            SolveOutcome(solves[reviewer]) if reviewer in solves else None,
        )
        for reviewer, recommendation, _answers in said
    ]
    others = [SolveOutcome(solves[one]) for one in solves.keys() - {one for one, *_ in said}]
    step = decide(review_round.terms, opinions, others)
    if step is not None:
        # The rule decides, not the last reviewer: the event has no actor.
        close(review_round, step, counts=_count(opinions))


COUNTED = {
    Recommendation.ACCEPT: "accept",
    Recommendation.REVISE: "revise",
    Recommendation.REJECT: "reject",
}


def _count(opinions: list[Opinion]) -> Sentence:
    given = [opinion.recommendation for opinion in opinions]
    counts = [
        Sentence.of(code, count=str(given.count(value)))
        for value, code in COUNTED.items()
        if value in given
    ]
    solves = [opinion.solve for opinion in opinions if opinion.solve]
    if solves:
        agreeing = str(solves.count(SolveOutcome.AGREES))
        counts.append(Sentence.of("solves_agree", agreeing=agreeing, all=str(len(solves))))
    return chain("listed", counts)


def close(
    review_round: ReviewRound,
    step: Step,
    *,
    counts: Sentence | None = None,
    decided_by: User | None = None,
    reason: str = "",
) -> None:
    """
    Close a round, and open the next stage or move the problem.

    Args:
        step: `PASS`, `ACCEPT`, `RETURN`, `REJECT` or `WITHDRAW`; to pass the last stage accepts.
        counts: what the reviews say, where the rule decides by them.
        decided_by: who decides instead of the rule, or where it leaves that to a person.
        reason: of that admin.
    """
    problem = review_round.revision.problem
    following = _find_next(review_round) if step is Step.PASS else None
    is_correction = problem.is_published
    step = conclude(step, is_last=following is None, is_correction=is_correction)
    review_round.decision = step
    review_round.closed_at = timezone.now()
    review_round.decided_by = decided_by
    review_round.override_reason = reason
    review_round.save()
    review_round.assignments.end()
    revision = review_round.revision
    problem.take_step(
        step,
        revision=revision,
        actor=decided_by,
        message=(
            Sentence.of("stage_decided", stage=review_round.version.name, counts=counts)
            if counts
            else Sentence.of("stage_overridden", stage=review_round.version.name)
        ),
        note=reason,
        is_override=review_round.is_override,
    )
    if step is Step.ACCEPT:
        contributions.record_acceptance(problem)
        if is_correction:
            errata.write(problem, revision)
    if following:
        _open(revision, following)


def shrink(review_round: ReviewRound, by: User, reason: str, *, reviews: int, solves: int) -> None:
    """Have a round do with fewer, and close it where what is there now suffices."""
    review_round.reviews_needed = reviews
    review_round.solves_needed = solves
    review_round.save(update_fields=["reviews_needed", "solves_needed"])
    _note(review_round, Step.SHRINK, by, reason)
    weigh(review_round)


def ask_one_more(review_round: ReviewRound, by: User, reason: str) -> None:
    """
    Have a split wait for one more review, by somebody who reads no other.

    What was said stays, and counts: unless somebody thinks better of it, a person decides again.
    """
    said = review_round.disagreement
    review_round.reviews_needed = said.accept + said.revise + said.reject + 1
    review_round.save(update_fields=["reviews_needed"])
    _note(review_round, Step.ASK, by, reason)


def _note(review_round: ReviewRound, step: Step, by: User, reason: str) -> None:
    review_round.revision.problem.take_step(
        step,
        revision=review_round.revision,
        actor=by,
        message=Sentence.of("stage_overridden", stage=review_round.version.name),
        note=reason,
    )


# --- How far the reviews of a round are apart -------------------------------------------------
#
# A measure to sort by, which decides nothing. Each part lies between 0 and 100:
#
# - recommendations: over all pairs of reviewers, how far apart the two are: accept and revise, or
#   revise and reject, 50; accept and reject 100; on average.
# - answers: for each question that two answered at least, the same over pairs, as far apart as its
#   kind says (yes and no 100, and so are 1 and 5 of a scale); then the average of the questions.
# - solves: of the blind solves that could be told, the share that are not the reference. What could
#   not be told, and who gave no answer, speak neither for nor against it.

Value = TypeVar("Value")
FAR = {Recommendation.ACCEPT: 0, Recommendation.REVISE: 1, Recommendation.REJECT: 2}


def measure(
    recommendations: Collection[str],
    answers: Sequence[Mapping[str, Answer]],
    solves: Collection[str],
    kinds: Mapping[str, str],
) -> dict[str, float]:
    """
    Measure a round by what each of its reviewers said last; `kinds` are of its questions.

    >>> kinds = {"1": "YES_NO", "2": "SCALE"}
    >>> measure(["ACCEPT", "REJECT"], [{"1": True}, {"1": False}], ["AGREES", "DISAGREES"], kinds)
    {'recommendations': 100.0, 'answers': 100.0, 'solves': 50.0}
    >>> measure(["ACCEPT", "ACCEPT", "REVISE"], [{"2": 1}, {"2": 3}, {}], ["NOT_TOLD"], kinds)
    {'recommendations': 33.333333333333336, 'answers': 50.0, 'solves': 0.0}
    """
    told = [one for one in solves if one in {SolveOutcome.AGREES, SolveOutcome.DISAGREES}]
    against = sum(one == SolveOutcome.DISAGREES for one in told)
    spread = _spread([Recommendation(one) for one in recommendations], _apart)
    return {
        "recommendations": spread or 0.0,
        "answers": mean(measure_questions(answers, kinds).values() or [0.0]),
        "solves": 100 * against / len(told) if told else 0.0,
    }


def describe(
    reviews: Iterable[tuple[str, Mapping[str, Answer]]],
    solves: Iterable[str],
    questions: Iterable[VersionQuestion],
) -> dict[str, Any]:
    """Return what is kept of a round: how far apart it is, and how many said what."""
    reviews, solves = list(reviews), list(solves)
    given, told = Counter(said for said, _ in reviews), Counter(solves)
    answers = [answers for _, answers in reviews]
    kinds = {one.key: one.kind for one in questions}
    return {
        **measure(list(given.elements()), answers, solves, kinds),
        "accept": given[Recommendation.ACCEPT],
        "revise": given[Recommendation.REVISE],
        "reject": given[Recommendation.REJECT],
        "agreeing": told[SolveOutcome.AGREES],
        "differing": told[SolveOutcome.DISAGREES],
    }


def measure_questions(
    answers: Sequence[Mapping[str, Answer]], kinds: Mapping[str, str]
) -> dict[str, float]:
    """Measure each question that two people answered at least, by its id."""
    found = {}
    for key in {key: None for one in answers for key in one}:
        given = [one[key] for one in answers if key in one]
        spread = _spread(given, find_kind(kinds[key]).apart)
        if spread is not None:
            found[key] = spread
    return found


def _spread(values: Sequence[Value], apart: Callable[[Value, Value], float]) -> float | None:
    """Average over all pairs; None where there is no pair."""
    pairs = list(combinations(values, 2))
    return mean(apart(a, b) for a, b in pairs) if pairs else None


def _apart(one: Recommendation, other: Recommendation) -> float:
    return 50.0 * abs(FAR[one] - FAR[other])
