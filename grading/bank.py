"""
Make a bank of thousands of problems to measure pages on: rows at once, not through the actions.

What it makes keeps the database's rules, and could have come about by the actions: every status,
the three stages, reviewers who differ, blind solves, models and people who answered. Texts are
those of the demo's problems, varied. One seed makes one bank.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from curation import pipelines
from curation.disagreement import describe
from curation.models import (
    Benchmark,
    BlindSolve,
    Contribution,
    ContributionKind,
    Event,
    Exposure,
    Problem,
    Question,
    Review,
    ReviewRound,
    Revision,
    RoundDisagreement,
    SolveKind,
    Stage,
)
from curation.models.exposures import begin_slot
from curation.workflow import Recommendation, SolveOutcome, Status, Step
from grading import bank_answers, demo
from grading.expressions import GRADER_VERSION
from phybench.models import Role, User

AT_ONCE = 2000
MOST_CONTRIBUTORS, REVIEWERS, PARTICIPANTS = 40, 60, 20
PROBLEMS_AN_AUTHOR = 20
"""About, so that in a small bank too whoever writes has something in every status."""
STATUSES = {
    Status.DRAFT: 10,
    Status.IN_REVIEW: 25,
    Status.RETURNED: 8,
    Status.ACCEPTED: 45,
    Status.REJECTED: 7,
    Status.RETIRED: 5,
}
"""How common each is, in percent."""
GOLDEN = 0.618034
"""Its multiples lie evenly between 0 and 1, however many one takes."""
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
COMMENT = "The statement should say which of its symbols are given."

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Size:
    problems: int
    reviews: int
    seed: int = 1


@dataclass(slots=True)
class Bank:
    """What is to be stored, by kind; what refers to a row is made once that has its key."""

    size: Size
    benchmark: Benchmark
    stages: list[Stage]
    people: dict[Role, list[User]]
    source: list[dict[str, Any]]
    chance: random.Random
    start: datetime
    terms: dict[int, dict[str, Any]] = field(default_factory=dict)

    def at(self, number: int, hours: float = 0.0) -> datetime:
        """Spread problems over a year; what happens to one comes hours later."""
        minutes = 300 * 24 * 60 * number / max(1, self.size.problems)
        return self.start + timedelta(minutes=minutes, hours=hours)


def store(rows: Sequence[Row]) -> list[Row]:
    return type(rows[0])._default_manager.bulk_create(rows, batch_size=AT_ONCE) if rows else []


@transaction.atomic
def make(size: Size) -> Benchmark:
    """Make a bank; all of it, or nothing."""
    benchmark = _make_benchmark()
    bank = Bank(
        size=size,
        benchmark=benchmark,
        stages=list(pipelines.find_pipeline(benchmark).stages.order_by("place")),
        people=_make_people(benchmark.pk, size),
        source=[row for row in demo.read_problems(demo.PROBLEMS) if row.get("answers")],
        chance=random.Random(size.seed),
        start=timezone.now() - timedelta(days=330),
    )
    bank.terms = {stage.pk: stage.copy_terms() for stage in bank.stages}
    problems, revisions = _store_problems(bank)
    rounds = store(list(_make_rounds(bank, revisions)))
    _store_reviews(bank, rounds)
    store(list(_list_events(bank, problems, revisions, rounds)))
    current = {one.problem_id: one for one in revisions if one.submitted_at}
    answered = [current[one.pk] for one in problems if one.status == Status.ACCEPTED]
    bank_answers.make(
        benchmark, answered, bank.source, bank.people[Role.PARTICIPANT], bank.chance, store
    )
    return benchmark


def tell_planner() -> None:
    """Have PostgreSQL look at what was stored, as it does by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _make_benchmark() -> Benchmark:
    number = 1 + Benchmark.objects.filter(slug__startswith="bank-").count()
    pipeline = pipelines.make_pipeline(pipelines.THREE_STAGES)
    return Benchmark.objects.create(
        name=f"Bank {number}", slug=f"bank-{number}", is_demo=True, pipeline=pipeline
    )


def _make_people(number: int, size: Size) -> dict[Role, list[User]]:
    """Make people who can't sign in: nobody is told a password."""
    password = make_password(None)
    counts = {
        Role.CONTRIBUTOR: max(2, min(MOST_CONTRIBUTORS, size.problems // PROBLEMS_AN_AUTHOR)),
        Role.REVIEWER: REVIEWERS,
        Role.PARTICIPANT: PARTICIPANTS,
    }
    return {
        role: store(
            [
                User(
                    email=f"{role.lower()}-{place}@bank-{number}.example",
                    password=password,
                    display_name=f"Bank {role.label} {place}",
                    roles=[role],
                    is_demo=True,
                )
                for place in range(1, count + 1)
            ]
        )
        for role, count in counts.items()
    }


def _store_problems(bank: Bank) -> tuple[list[Problem], list[Revision]]:
    problems = _make_problems(bank)
    statuses = [one.status for one in problems]
    for one in problems:
        one.status = Status.DRAFT  # accepted, it would name a revision, and none is there yet
    store(problems)
    for one, status in zip(problems, statuses, strict=True):
        one.status = status
    revisions = store(list(_make_revisions(bank, problems)))
    for revision in revisions:
        if revision.problem.accepted_at:
            revision.problem.accepted_revision = revision
    Problem.objects.bulk_update(problems, ["status", "accepted_revision"], batch_size=AT_ONCE)
    return problems, revisions


def _make_problems(bank: Bank) -> list[Problem]:
    found = []
    authors = bank.people[Role.CONTRIBUTOR]
    for number in range(bank.size.problems):
        row = bank.source[number % len(bank.source)]
        status = _choose_status(number)
        is_accepted = status in {Status.ACCEPTED, Status.RETIRED}
        found.append(
            Problem(
                benchmark=bank.benchmark,
                author=authors[number % len(authors)],
                title=f"{row['title'][:100]} ({number + 1})",
                domain=row["domain"],
                difficulty=row["difficulty"],
                status=status,
                created_at=bank.at(number),
                accepted_at=bank.at(number, 400) if is_accepted else None,
            )
        )
    return found


def _choose_status(number: int) -> Status:
    """Spread the statuses evenly, so that a small bank has all of them as well."""
    share = 100 * (number * GOLDEN % 1.0)
    for status, percent in STATUSES.items():
        if share < percent:
            return status
        share -= percent
    return Status.ACCEPTED


def _make_revisions(bank: Bank, problems: Sequence[Problem]) -> Iterator[Revision]:
    """A third of what was submitted was returned once, and has a second revision."""
    for number, problem in enumerate(problems):
        row = bank.source[number % len(bank.source)]
        is_submitted = problem.status != Status.DRAFT
        was_returned = is_submitted and number % 3 == 1
        for turn in range(1 + was_returned):
            yield Revision(
                problem=problem,
                number=turn + 1,
                statement=f"{row['statement'].strip()}\n\nThis is set-up {number + 1} of its kind.",
                answer=row["answer"].strip(),
                solution=row["solution"].strip(),
                label=row.get("label", ""),
                symbols=row.get("symbols", []),
                must_accept=row.get("must_accept", []),
                must_reject=row.get("must_reject", []),
                reason="As the reviewers asked." if turn else "",
                created_at=bank.at(number, 200 * turn),
                submitted_at=bank.at(number, 200 * turn + 1) if is_submitted else None,
            )


def _make_rounds(bank: Bank, revisions: Sequence[Revision]) -> Iterator[ReviewRound]:
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
                stage=stage,
                number=stage.place,
                opened_at=opened,
                due_at=opened + timedelta(days=stage.due_days) if stage.due_days else None,
                closed_at=opened + timedelta(hours=29) if decision else None,
                decision=decision or "",
                **bank.terms[stage.pk],
            )


def _choose_decisions(bank: Bank, status: Status, is_last: bool) -> list[Step | None]:
    """Choose what became of each stage of a revision, in order; None is open."""
    last = len(bank.stages)
    if status in {Status.ACCEPTED, Status.RETIRED} and is_last:
        return [*[Step.PASS] * (last - 1), Step.ACCEPT]
    end = {Status.IN_REVIEW: None, Status.REJECTED: Step.REJECT}.get(status, Step.RETURN)
    return [*[Step.PASS] * bank.chance.randrange(last), end if is_last else Step.RETURN]


def _store_reviews(bank: Bank, rounds: Sequence[ReviewRound]) -> None:
    """Deal the reviews out to all rounds, and keep how far apart each is."""
    reviews: list[Review] = []
    solves: list[BlindSolve] = []
    apart: list[RoundDisagreement] = []
    counts = _deal(bank, rounds)
    for review_round, count in zip(rounds, counts, strict=True):
        panel = bank.chance.sample(bank.people[Role.REVIEWER], count)
        given = [_make_review(bank, review_round, person) for person in panel]
        solved = [_make_solve(bank, review_round, one) for one in panel if review_round.is_blind]
        reviews += given
        solves += solved
        if given:
            said = [(one.recommendation, one.answers) for one in given]
            measured = describe(said, [one.outcome for one in solved])
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


def _deal(bank: Bank, rounds: Sequence[ReviewRound]) -> list[int]:
    """Return how many reviews each round has: one at least where it is closed, a few more."""
    counts = [1 if one.closed_at else 0 for one in rounds]
    # An open round stays so while its rule waits for more.
    most = [REVIEWERS if one.closed_at else one.reviews_needed - 1 for one in rounds]
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


def _make_review(bank: Bank, review_round: ReviewRound, person: User) -> Review:
    weights = SAID_OF.get(Step(review_round.decision or Step.PASS), (1, 1, 1))
    [said] = bank.chance.choices(list(Recommendation), weights)
    return Review(
        round=review_round,
        reviewer=person,
        recommendation=said,
        answers={
            question["id"]: bank.chance.choice([2, 3, 4, 4, 5])
            if question["kind"] == Question.Kind.SCALE
            else bank.chance.random() < 0.8
            for question in review_round.questions
        },
        comment="" if said == Recommendation.ACCEPT else COMMENT,
        submitted_at=review_round.opened_at + timedelta(hours=28 * bank.chance.random()),
    )


def _make_solve(bank: Bank, review_round: ReviewRound, person: User) -> BlindSolve:
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


def _list_events(
    bank: Bank,
    problems: Sequence[Problem],
    revisions: Sequence[Revision],
    rounds: Sequence[ReviewRound],
) -> Iterator[Event]:
    stands = dict.fromkeys((one.pk for one in problems), "")

    def step(problem: Problem, kind: Step, after: Status, **fields: Any) -> Event:
        before, stands[problem.pk] = stands[problem.pk], after
        return Event(problem=problem, kind=kind, from_status=before, to_status=after, **fields)

    for one in problems:
        yield step(one, Step.CREATE, Status.DRAFT, actor=one.author, at=one.created_at)
    of_revision: dict[int, list[ReviewRound]] = {}
    for review_round in rounds:
        of_revision.setdefault(review_round.revision_id, []).append(review_round)
    after = {
        Step.PASS: Status.IN_REVIEW,
        Step.ACCEPT: Status.ACCEPTED,
        Step.RETURN: Status.RETURNED,
        Step.REJECT: Status.REJECTED,
    }
    for revision in revisions:
        problem, at = revision.problem, revision.submitted_at
        if at is None:
            continue
        submitted = {"revision": revision, "actor": problem.author, "at": at}
        yield step(problem, Step.SUBMIT, Status.IN_REVIEW, **submitted)
        for closed in of_revision[revision.pk]:
            if closed.closed_at:
                kind = Step(closed.decision)
                yield step(problem, kind, after[kind], revision=revision, at=closed.closed_at)
        if problem.status == Status.RETIRED and stands[problem.pk] == Status.ACCEPTED:
            yield step(problem, Step.RETIRE, Status.RETIRED, at=timezone.now())


def count(benchmark: Benchmark) -> dict[str, int]:
    """Count what a bank holds."""
    rounds = ReviewRound.objects.filter(revision__problem__benchmark=benchmark)
    return {
        "problems": benchmark.problems.count(),
        "rounds": rounds.count(),
        "reviews": Review.objects.filter(round__in=rounds).count(),
        "blind solves": BlindSolve.objects.filter(round__in=rounds).count(),
    }
