"""Open rounds of review, take reviews, and close them.

Whoever calls these holds the problem’s row: a stage is closed once, and the next opened once.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.exposures import ledger
from curation.problems.models import Revision
from curation.problems.people.models import Contribution, ContributionKind
from curation.reports import errata
from curation.reviewing.pipelines.models import Pipeline, Stage, VersionQuestion
from curation.reviewing.rounds.models import Assignment, Review, ReviewRound, RoundDisagreement
from curation.reviewing.rounds.permissions import can_review, must_solve
from curation.texts.review_kinds import Answer, find_kind
from curation.texts.workflow import (
    NotAllowedNow,
    Opinion,
    Recommendation,
    SolveOutcome,
    Step,
    conclude,
    decide,
    describe,
)
from phybench.pages.sentences import chain
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence


class Incomplete(NotAllowedNow):
    """A review without an answer to a question that needs one."""


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
        {one.key: one.kind for one in review_round.version.questions.all()},
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
        Contribution.objects.record_acceptance(problem)
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


@transaction.atomic
def submit_review(
    *,
    review_round: ReviewRound,
    reviewer: User,
    recommendation: str,
    comment: str,
    answers: Mapping[str, Any] | None = None,
    replaces: int = 0,
) -> Review:
    """
    Record a review, or a change of one; where the rule then decides, it closes the round.

    Args:
        answers: to the round's questions, by their ids: 1 to 5, or True and False.
        replaces: the number of the reviewer's own review that this one changes; 0 for a first.

    Raises:
        Incomplete: a question that needs an answer has none.
        NotAllowedNow: the round is closed or not theirs to review, is to be solved blind first,
            or the review was changed in another window.
    """
    # Two reviewers may submit at once: the lock lets exactly one of them be last.
    review_round = review_round.locked()
    if not can_review(reviewer, review_round):
        raise NotAllowedNow(_("This stage is closed, or you may not review it."))
    if must_solve(reviewer, review_round):
        raise NotAllowedNow(_("Solve it first: you review it after your own answer."))
    said = {
        "recommendation": recommendation,
        "comment": comment,
        "answers": check_answers(review_round.questions, answers or {}),
    }
    last = review_round.reviews.filter(reviewer=reviewer).order_by("number").last()
    begun = review_round.drafts.filter(reviewer=reviewer, kind="REVIEW")
    if last and all(getattr(last, name) == value for name, value in said.items()):
        begun.delete()
        return last  # the same form, sent twice
    if (last.number if last else 0) != replaces:
        raise NotAllowedNow(
            _(
                "You have already reviewed this, or changed your review in another window. "
                "Reload the page."
            )
        )
    review = review_round.reviews.create(reviewer=reviewer, number=replaces + 1, **said)
    asked = review_round.assignments.filter(reviewer=reviewer)
    asked.end(Assignment.State.DONE, by=reviewer)
    if review_round.version.shows_key:
        ledger.record(reviewer, ledger.Reason.REVIEW, review_round.revision, parts=ledger.KEY)
    begun.delete()
    Contribution.objects.record(ContributionKind.REVIEWED, [reviewer], review_round.revision)
    weigh(review_round)
    return review


def find_given(
    *,
    review_round: ReviewRound,
    reviewer: User,
    recommendation: str,
    comment: str,
    answers: Mapping[str, Any],
    **_rest: object,
) -> Review | None:
    """Return the review that the same form has given, though it closed the round."""
    last = review_round.reviews.filter(reviewer=reviewer).order_by("number").last()
    if last is None or (last.recommendation, last.comment) != (recommendation, comment):
        return None
    try:
        asked = check_answers(review_round.questions, answers)
    except Incomplete:
        return None
    return last if last.answers == asked else None


def check_answers(
    questions: Iterable[VersionQuestion], answers: Mapping[str, Any]
) -> dict[str, Answer]:
    """
    Return the answers that belong to these questions.

    Raises:
        Incomplete: one that is needed is missing, or is none of those that can be given.
    """
    kept: dict[str, Any] = {}
    for question in questions:
        given = answers.get(question.key)
        if given is None and not question.is_required:
            continue
        if not find_kind(question.kind).takes(given):
            raise Incomplete(_("Answer this question too: %(question)s") % {"question": question})
        kept[question.key] = given
    return kept
