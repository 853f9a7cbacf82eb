"""The reviews of a bank: rounds through the stages, who said what in them, and who solved blind."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from curation.problems.exposures.ledger import begin_slot
from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision
from curation.problems.people.models import Contribution, ContributionKind
from curation.reviewing.rounds.models import Review, ReviewRound, RoundDisagreement
from curation.reviewing.rounds.solves.models import BlindSolve, SolveKind
from curation.texts.review_kinds import find_kind
from curation.texts.workflow import Recommendation, SolveOutcome, Status, Step, describe
from grading.demo.bank_rows import DemoBank, store
from phybench.people.models import Role, User
from phybench_grader import GRADER_VERSION

SAID_OF = {
    Step.PASS: (8, 2, 0),
    Step.ACCEPT: (8, 2, 0),
    Step.RETURN: (4, 5, 1),
    Step.REJECT: (2, 3, 5),
}
"""How often a round that ended so was told to accept, revise, reject."""
OUTCOMES = {
    SolveOutcome.AGREES: 7,
    SolveOutcome.DISAGREES: 2,
    SolveOutcome.NO_ANSWER: 1,
}
REASON = "It is well known, and its answer can be looked up."
COMMENT = "The statement should say which of its symbols are given."


def store_rounds(bank: DemoBank, revisions: Sequence[Revision]) -> list[ReviewRound]:
    return store(list(_make_rounds(bank, revisions)))


def _make_rounds(bank: DemoBank, revisions: Sequence[Revision]) -> Iterator[ReviewRound]:
    for place, revision in enumerate(revisions):
        if revision.submitted_at is None:
            continue
        following = revisions[place + 1] if place + 1 < len(revisions) else None
        is_last = following is None or following.problem_id != revision.problem_id
        decisions = _choose_decisions(bank, Status(revision.problem.status), is_last)
        for number, decision in enumerate(decisions):
            stage = bank.stages[number]
            opened = revision.submitted_at + timedelta(hours=30 * number)
            yield ReviewRound(
                revision=revision,
                number=stage.place,
                opened_at=opened,
                due_at=opened + timedelta(days=stage.due_days) if stage.due_days else None,
                closed_at=opened + timedelta(hours=29) if decision else None,
                decision=decision or "",
                # No rule rejects.
                decided_by=bank.people[Role.ADMIN][0] if decision is Step.REJECT else None,
                override_reason=REASON if decision is Step.REJECT else "",
                version=bank.versions[stage.pk],
                reviews_needed=stage.count_needed(),
            )


def _choose_decisions(bank: DemoBank, status: Status, is_last: bool) -> list[Step | None]:
    """Choose what became of each stage of a revision, in order; None is open."""
    last = len(bank.stages)
    if status in {Status.ACCEPTED, Status.RETIRED} and is_last:
        return [*[Step.PASS] * (last - 1), Step.ACCEPT]
    end = {Status.IN_REVIEW: None, Status.REJECTED: Step.REJECT}.get(status, Step.RETURN)
    return [*[Step.PASS] * bank.chance.randrange(last), end if is_last else Step.RETURN]


def store_reviews(bank: DemoBank, rounds: Sequence[ReviewRound]) -> None:
    """Deal the reviews out to all rounds, and keep how far apart each is."""
    reviews: list[Review] = []
    solves: list[BlindSolve] = []
    apart: list[RoundDisagreement] = []
    counts = _deal(bank, rounds)
    for review_round, count in zip(rounds, counts, strict=True):
        panel = bank.chance.sample(bank.people[Role.REVIEWER], count)
        given = [_make_review(bank, review_round, person) for person in panel]
        solved = [
            _make_solve(bank, review_round, one) for one in panel if review_round.version.is_blind
        ]
        reviews += given
        solves += solved
        if given:
            said = [(one.recommendation, one.answers) for one in given]
            outcomes = [one.outcome for one in solved]
            measured = describe(
                said,
                outcomes,
                {one.key: one.kind for one in bank.questions[review_round.version_id]},
            )
            apart.append(RoundDisagreement(round=review_round, **measured))
    store(reviews)
    store(solves)
    store(apart)
    seen = {(one.round.revision_id, one.reviewer_id): one.submitted_at for one in reviews}
    store(
        [
            Exposure(
                revision_id=revision,
                person_id=person,
                part=part,
                reason=Exposure.Reason.REVIEW,
                at=at,
                slot=begin_slot(at),
            )
            for (revision, person), at in seen.items()
            for part in Exposure.Part
        ]
    )
    problems = {one.round.revision_id: one.round.revision.problem_id for one in reviews}
    store(
        [
            Contribution(
                person_id=person,
                kind=ContributionKind.REVIEWED,
                problem_id=problems[revision],
                revision_id=revision,
                at=at,
            )
            for (revision, person), at in seen.items()
        ]
    )


def _deal(bank: DemoBank, rounds: Sequence[ReviewRound]) -> list[int]:
    """Return how many reviews each round has: one at least where it is closed, a few more."""
    counts = [1 if one.closed_at else 0 for one in rounds]
    # An open round stays so while its rule waits for more.
    everybody = len(bank.people[Role.REVIEWER])
    most = [everybody if one.closed_at else one.reviews_needed - 1 for one in rounds]
    free = [place for place, count in enumerate(counts) if count < most[place]]
    for _ in range(bank.size.reviews - sum(counts)):
        if not free:
            break
        chosen = bank.chance.randrange(len(free))
        place = free[chosen]
        counts[place] += 1
        if counts[place] == most[place]:
            free[chosen] = free[-1]
            free.pop()
    return counts


def _make_review(bank: DemoBank, review_round: ReviewRound, person: User) -> Review:
    weights = SAID_OF.get(Step(review_round.decision or Step.PASS), (1, 1, 1))
    [said] = bank.chance.choices(list(Recommendation), weights)
    return Review(
        round=review_round,
        reviewer=person,
        recommendation=said,
        answers={
            question.key: bank.chance.choice(find_kind(question.kind).made_up)
            for question in bank.questions[review_round.version_id]
        },
        comment="" if said == Recommendation.ACCEPT else COMMENT,
        submitted_at=review_round.opened_at + timedelta(hours=28 * bank.chance.random()),
    )


def _make_solve(bank: DemoBank, review_round: ReviewRound, person: User) -> BlindSolve:
    [outcome] = bank.chance.choices(list(OUTCOMES), list(OUTCOMES.values()))
    key = review_round.revision.answer
    is_answer = outcome != SolveOutcome.NO_ANSWER
    answer = key if outcome == SolveOutcome.AGREES else f"2 \\cdot ({key})"
    return BlindSolve(
        round=review_round,
        reviewer=person,
        kind=SolveKind.ANSWER if is_answer else SolveKind.CANT_SOLVE,
        answer=answer if is_answer else "",
        answer_read=answer if is_answer else "",
        reason="" if is_answer else "I found no way to begin.",
        outcome=outcome,
        grader_version=GRADER_VERSION,
        solved_at=review_round.opened_at,
    )
