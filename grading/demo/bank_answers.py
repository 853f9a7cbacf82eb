"""The answers of a bank: three models, some people, their grades, and what speaks against keys."""

import random
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.versions import actions as versioning
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.demo.bank_rows import DemoBank, store
from grading.disputes.keys.models import KeyCheck
from grading.solvers.models import Membership, Organisation, Solver
from phybench.people.models import Role, User
from phybench_grader import GRADER_VERSION

MODELS = ("strong", "middle", "weak")
RIGHT = {"strong": 0.8, "middle": 0.5, "weak": 0.2}
A_PERSON_ANSWERS = 30


def make(bank: DemoBank, answered: Sequence[Revision]) -> tuple[Organisation, User]:
    """Have each model answer everything, and each person some of it; return whose models it is."""
    [uploader] = store([_make_evaluator(bank.benchmark)])
    organisation = _make_organisation(uploader)
    version = versioning.make_draft(benchmark=bank.benchmark, by=None)
    versioning.publish(version=version, by=None)
    attempts: list[Attempt] = []
    for level in MODELS:
        solver, _is_new = Solver.objects.get_or_create(
            organisation=organisation,
            name=f"Bank solver, {level} (synthetic)",
            kind="MODEL",
            defaults={"is_demo": True},
        )
        submission = Submission.objects.create(
            solver=solver,
            benchmark=bank.benchmark,
            version=version,
            number=1,
            uploaded_by=uploader,
            published_by=uploader,
            published_at=timezone.now(),
            file_name=f"bank-{level}.json",
            file_sha256="0" * 64,
            expected=len(answered),
        )
        attempts += [
            _answer(revision, solver, level, bank.source, submission=submission)
            for revision in answered
        ]
    people = store(
        [
            Solver(name=str(person), kind="HUMAN", user=person, is_demo=True)
            for person in bank.people[Role.PARTICIPANT]
        ]
    )
    for solver in people:
        some = bank.chance.sample(list(answered), min(A_PERSON_ANSWERS, len(answered) // 2))
        attempts += [_answer(revision, solver, "middle", bank.source) for revision in some]
    attempts = store(attempts)
    run = GradingRun.objects.get_adopted(bank.benchmark.pk)
    grades = store([_grade(one, run, bank.chance) for one in attempts])
    last_grade = grades[-1].pk if grades else 0
    checks = [
        _check(revision, last_grade, leads=place % 10 == 0)
        for place, revision in enumerate(answered)
    ]
    store(checks)
    return organisation, uploader


def _make_evaluator(benchmark: Benchmark) -> User:
    return User(
        email=f"evaluator@{benchmark.slug}.example",
        password="!",
        display_name="Bank evaluator",
        roles=[Role.EVALUATOR],
        is_demo=True,
    )


def _make_organisation(member: User) -> Organisation:
    now = timezone.now()
    made = Organisation.objects.create(
        name=f"Bank laboratory of {member.email.partition('@')[2].partition('.')[0]}",
        is_demo=True,
        made_by=member,
        confirmed_by=member,
        confirmed_at=now,
    )
    Membership.objects.create(organisation=made, person=member, joined_at=now, accepted_by=member)
    return made


def _answer(
    revision: Revision,
    solver: Solver,
    level: str,
    source: Sequence[dict[str, Any]],
    submission: Submission | None = None,
) -> Attempt:
    row = source[revision.problem_id % len(source)]
    return Attempt(
        solver=solver,
        submission=submission,
        revision=revision,
        origin=Attempt.Origin.FILE if submission else Attempt.Origin.OUTSIDE,
        response=row["answers"].get(level) or revision.answer,
        status=Attempt.Status.GRADED,
    )


def _grade(attempt: Attempt, run: GradingRun, chance: random.Random) -> Grade:
    level = next((level for level in MODELS if f", {level} " in attempt.solver.name), "middle")
    is_right = chance.random() < RIGHT[level]
    is_near = not is_right and chance.random() < 0.3
    return Grade(
        run=run,
        attempt=attempt,
        judge="symbolic",
        judge_version=GRADER_VERSION,
        verdict=VerdictChoice.CORRECT
        if is_right
        else (VerdictChoice.PARTIAL if is_near else VerdictChoice.INCORRECT),
        accuracy=100.0 if is_right else 0.0,
        eed=100.0 if is_right else (40.0 if is_near else 0.0),
        sympy_version="-",
        seconds=0.1,
    )


def _check(revision: Revision, last_grade: int, *, leads: bool) -> KeyCheck:
    """Write what a scan would have found: of a tenth of the keys that another answer leads."""
    names = [f"Bank solver, {level} (synthetic)" for level in MODELS]
    key = _describe(revision.answer, names[:1] if leads else names, is_key=True)
    other = _describe(f"2 \\cdot ({revision.answer})", names[1:], is_key=False)
    return KeyCheck(
        revision=revision,
        doubts=[KeyCheck.Doubt.OTHER_LEADS] if leads else [],
        groups=[other, key] if leads else [key],
        solvers=len(names),
        last_grade=last_grade,
    )


def _describe(latex: str, solvers: list[str], *, is_key: bool) -> dict[str, Any]:
    answers = len(solvers)
    return {
        "latex": latex,
        "solvers": solvers,
        "blind_solves": 0,
        "answers": answers,
        "is_key": is_key,
    }
