"""
Make a bank of thousands of problems to measure pages on: rows at once, not through the actions.

What it makes keeps the database's rules, and could have come about by the actions: every status,
the three stages, reviewers who differ, blind solves, models and people who answered. Texts are
those of the demo's problems, varied. One seed makes one bank.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Event, Problem, Revision
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.stage_texts import THREE_STAGES
from curation.texts.workflow import Status, Step
from grading.answers.models import Attempt
from grading.demo import bank_answers, bank_queue, bank_reviews
from grading.demo import benchmark as demo
from grading.demo.bank_rows import AT_ONCE, DemoBank, Size, store
from phybench.people.models import Role, User

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


@transaction.atomic
def make(size: Size) -> Benchmark:
    """Make a bank; all of it, or nothing."""
    benchmark = _make_benchmark()
    bank = DemoBank(
        size=size,
        benchmark=benchmark,
        stages=list(shipped.find_pipeline(benchmark).stages.order_by("place")),
        people=_make_people(benchmark.pk, size),
        source=[row for row in demo.read_problems(demo.PROBLEMS) if row.get("answers")],
        chance=random.Random(size.seed),
        start=timezone.now() - timedelta(days=330),
    )
    bank.versions = {stage.pk: stage.freeze() for stage in bank.stages}
    bank.questions = {one.pk: list(one.questions.all()) for one in bank.versions.values()}
    problems, revisions = _store_problems(bank)
    rounds = bank_reviews.store_rounds(bank, revisions)
    bank_reviews.store_reviews(bank, rounds)
    store(list(_list_events(bank, problems, revisions, rounds)))
    current = {one.problem_id: one for one in revisions if one.submitted_at}
    answered = [current[one.pk] for one in problems if one.status == Status.ACCEPTED]
    organisation, uploader = bank_answers.make(bank, answered)
    if size.models:
        bank_queue.hand_in(bank, answered, organisation, uploader)
    return benchmark


def tell_planner() -> None:
    """Have PostgreSQL look at what was stored, as it does by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _make_benchmark() -> Benchmark:
    number = 1 + Benchmark.objects.filter(slug__startswith="bank-").count()
    pipeline = shipped.make_pipeline(THREE_STAGES)
    made = Benchmark.objects.create(name=f"Bank {number}", slug=f"bank-{number}", is_demo=True)
    ReviewSettings.objects.create(benchmark=made, pipeline=pipeline)
    return made


def _make_people(number: int, size: Size) -> dict[Role, list[User]]:
    """Make people who can't sign in: nobody is told a password."""
    password = make_password(None)
    counts = {
        Role.CONTRIBUTOR: max(2, min(MOST_CONTRIBUTORS, size.problems // PROBLEMS_AN_AUTHOR)),
        Role.REVIEWER: REVIEWERS,
        Role.PARTICIPANT: PARTICIPANTS,
        # Who rejects: no rule does.
        Role.ADMIN: 1,
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


def _store_problems(bank: DemoBank) -> tuple[list[Problem], list[Revision]]:
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


def _make_problems(bank: DemoBank) -> list[Problem]:
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


def _make_revisions(bank: DemoBank, problems: Sequence[Problem]) -> Iterator[Revision]:
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
                **demo.write_wanted(row, row["statement"]),
                symbols=row.get("symbols", []),
                must_accept=row.get("must_accept", []),
                must_reject=row.get("must_reject", []),
                reason="As the reviewers asked." if turn else "",
                created_at=bank.at(number, 200 * turn),
                submitted_at=bank.at(number, 200 * turn + 1) if is_submitted else None,
            )


def _list_events(
    bank: DemoBank,
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
                yield step(
                    problem,
                    kind,
                    after[kind],
                    revision=revision,
                    at=closed.closed_at,
                    actor=closed.decided_by,
                    note=closed.override_reason,
                    is_override=closed.is_override,
                )
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
        "answers": Attempt.objects.filter(revision__problem__benchmark=benchmark).count(),
    }
