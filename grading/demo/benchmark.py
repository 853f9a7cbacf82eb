"""
Make a benchmark to look around in: people, problems in every status, solvers, answers.

Everything goes through the actions that people use, so it keeps their rules; the answers are
then graded by the worker like any others.
"""

import io
import json
import tomllib
from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

import curation
from curation.authoring.drafts import actions as curating
from curation.authoring.translations import actions as translating
from curation.authoring.translations.actions import assign_translator
from curation.problems.benchmarks.models import Benchmark
from curation.problems.credits.actions import accept_credit, give_credit
from curation.problems.models import PhysicsField, Problem, Revision
from curation.problems.people.models import Credit
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import ThreadPart
from curation.reviewing.pipelines import shipped
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.solves.models import SolveKind
from curation.texts.blocks import list_blocks
from curation.texts.references.reference import SymbolRow
from curation.texts.references.wanted import draft_wanted
from curation.texts.review_kinds import find_kind
from curation.texts.stage_texts import ONE_REVIEW, THREE_STAGES
from curation.texts.workflow import Recommendation
from curation.versions import actions as versioning
from curation.versions.benchmarks.actions import SETTINGS, change, read_settings
from curation.versions.models import BenchmarkVersion
from grading.answers import actions as grading
from grading.answers.submissions.models import Submission
from grading.demo import studies
from grading.demo.people import ADMIN, CONTRIBUTORS, EVALUATOR, PARTICIPANTS, make_people, reviewers
from grading.demo.solvers import MODELS
from grading.solvers import actions as organising
from grading.solvers.models import Organisation
from grading.submissions.drafts import actions as drafts
from grading.submissions.drafts import submitting
from grading.submissions.drafts.tasks import READING
from phybench.people.models import Language, User

NAME = "Demo"
PROBLEMS = Path(curation.__file__).parent / "demo"
LABORATORY = "Demo laboratory"

TRANSLATED = {"chinese": Language.ZH, "english": Language.EN}
"""What a problem's file calls the translations of it."""

GOAL, GOAL_OF_A_DOMAIN = 60, 10

CHANGES = "The first version: everything in it was written for this demo."
COMMENT_OF_ACCEPTANCE = "Solved it without the reference answer and came to the same expression."
COMMENT_OF_PASSING = "Nothing to object to."
COMMENT_OF_RETURN = (
    "A good question, and I agree with the answer. Please say in the statement which of the"
    " quantities are given, so that a solver knows in which symbols to answer."
)
A_WEEK = timedelta(days=7)
COMMENT_ON_QUESTION = "Which of these are given? I would end with “in terms of …”."


@transaction.atomic
def make(password: str, folder: Path = PROBLEMS) -> bool:
    """
    Make the whole demo, or nothing: False when it was made before.

    It is one transaction, so that a demo that is there is complete.
    """
    benchmark, is_new = Benchmark.objects.get_or_create(
        slug="demo",
        defaults={"name": NAME, "is_demo": True},
    )
    if not is_new:
        return False
    pipeline = shipped.make_pipeline(THREE_STAGES)
    ReviewSettings.objects.create(benchmark=benchmark, pipeline=pipeline)
    people = make_people(password)
    set_goals(benchmark, people[ADMIN.email])
    problems = read_problems(folder)
    accepted = make_problems(benchmark, problems, people)
    version = publish_version(benchmark, people[ADMIN.email]) if accepted else None
    hand_in_answers(
        benchmark, accepted, evaluator=people[EVALUATOR.email], admin=people[ADMIN.email]
    )
    participants = [people[person.email] for person in PARTICIPANTS]
    answer_as_people(accepted, participants)
    if version and len(accepted) >= studies.LEAST:
        studies.make(version, people[ADMIN.email], participants, problems)
    return True


def set_goals(benchmark: Benchmark, admin: User) -> None:
    """Set what the benchmark is to reach, so that admins see how far it is."""
    known = read_settings(benchmark)
    settings = {name: getattr(benchmark, name) for name in SETTINGS} | {"goal": GOAL}
    goals = dict.fromkeys(set(PhysicsField.values) - {PhysicsField.OTHER}, GOAL_OF_A_DOMAIN)
    change(benchmark=benchmark, by=admin, settings=settings, goals=goals, known=known)


def read_problems(folder: Path) -> list[dict[str, Any]]:
    """Read the demo's problems: a file for each domain, named like it."""
    problems = []
    for domain in PhysicsField:
        file = folder / f"{domain.lower()}.toml"
        if file.exists():
            rows = tomllib.loads(file.read_text(encoding="utf-8"))["problem"]
            problems += [{**row, "domain": domain} for row in rows]
    return problems


def make_problems(
    benchmark: Benchmark, problems: Sequence[dict[str, Any]], people: dict[str, User]
) -> list[tuple[Problem, dict[str, Any]]]:
    """Write and review the problems as far as each says; return the accepted ones."""
    panel = [people[person.email] for person in reviewers()]
    waiting = [row["key"] for row in problems if row["stage"] == "in_review"]
    accepted = []
    for number, row in enumerate(problems):
        author = people[CONTRIBUTORS[number % len(CONTRIBUTORS)].email]
        problem = write(row, benchmark, author)
        name_others(problem, author, [people[one.email] for one in CONTRIBUTORS], number)
        if row["stage"] == "draft":
            continue
        is_accepted = row["stage"] == "accepted"
        if first := row.get("first_revision"):
            returned = submit(problem, author, is_reviewed_once=True)
            give_reviews(returned, panel[1:-1], Recommendation.REVISE, first["comment"])
            texts = {"statement": row["statement"].strip(), "reason": first["reason"]}
            curating.save_draft(problem=problem, author=author, saved_at="", **texts)
        # What is accepted was so before the benchmark had three stages.
        review_round = submit(problem, author, is_reviewed_once=is_accepted)
        if is_accepted:
            accepted.append((problem, row))
            translator = people[CONTRIBUTORS[(number + 1) % len(CONTRIBUTORS)].email]
            for name, language in TRANSLATED.items():
                if translated := row.get(name):
                    translate(problem, language, translated, author, translator)
            give_reviews(review_round, panel[1:-1], Recommendation.ACCEPT, COMMENT_OF_ACCEPTANCE)
        elif row["key"] == waiting[-1] and len(waiting) > 1:
            # One has come back, so that its author sees what that looks like.
            comment_on_question(review_round, panel[1])
            give_reviews(review_round, panel[1:-1], Recommendation.REVISE, COMMENT_OF_RETURN)
        else:
            # One waits in each stage, and the rest in the first.
            bring_to_stage(problem, 1 + waiting.index(row["key"]), row["answer"].strip(), panel)
    return accepted


def write(row: dict[str, Any], benchmark: Benchmark, author: User) -> Problem:
    """Begin a problem; where it has a first revision, with the statement of that one."""
    texts = {
        name: row[name].strip()
        for name in ("title", "domain", "difficulty", "statement", "answer", "solution")
    }
    if first := row.get("first_revision"):
        texts["statement"] = first["statement"].strip()
    return curating.create_draft(
        author=author,
        benchmark=benchmark,
        language=Language(row.get("language", Language.EN)),
        **texts,
        **write_wanted(row, texts["statement"]),
        symbols=[SymbolRow.read(one).store() for one in row.get("symbols", [])],
        must_accept=row.get("must_accept", []),
        must_reject=row.get("must_reject", []),
    )


def write_wanted(row: dict[str, Any], statement: str) -> dict[str, Any]:
    """Return what a problem asks for, as a revision has it; the rest is in its statement."""
    drafted = draft_wanted(statement)
    return {
        "quantity": row.get("quantity", ""),
        "unit": row.get("unit", ""),
        "terms": list(drafted.terms),
        "conditions": row.get("conditions", list(drafted.conditions)),
    }


def translate(
    problem: Problem, language: Language, texts: dict[str, str], author: User, translator: User
) -> None:
    """Have somebody translate a problem, and its author check that."""
    credit = assign_translator(problem=problem, by=author, person=translator, language=language)
    accept_credit(credit=credit, by=translator)
    texts = {name: text.strip() for name, text in texts.items()}
    made = translating.save_translation(
        problem=problem, language=language, translator=translator, saved_at="", **texts
    )
    translating.check_translation(
        problem=problem,
        language=language,
        checker=author,
        saved_at=made.saved_at.isoformat(),
    )


def submit(problem: Problem, author: User, *, is_reviewed_once: bool) -> ReviewRound:
    """Submit a draft, for one review or for what its benchmark asks."""
    return curating.submit(
        problem=problem,
        author=author,
        # The demo is to be there at once; `manage.py certify` can do without haste.
        needs_certificate=False,
        pipeline=shipped.make_pipeline(ONE_REVIEW) if is_reviewed_once else None,
    )


def give_reviews(
    review_round: ReviewRound,
    reviewers: Sequence[User],
    recommendation: Recommendation,
    comment: str,
) -> None:
    """Have each of these people say the same."""
    for reviewer in reviewers:
        submit_review(
            review_round=review_round,
            reviewer=reviewer,
            recommendation=recommendation,
            comment=comment,
            answers={
                question.key: find_kind(question.kind).made_up[0]
                for question in review_round.version.questions.all()
            },
        )


def bring_to_stage(problem: Problem, number: int, answer: str, panel: Sequence[User]) -> None:
    """Let a problem pass the stages before this one; in the last, one person has solved it."""
    rounds = ReviewRound.objects.open().filter(revision__problem=problem)
    if number > rounds.get().version.stage.pipeline.stages.count():
        return
    while rounds.get().number < number:
        give_reviews(rounds.get(), panel[1:-1], Recommendation.ACCEPT, COMMENT_OF_PASSING)
    last = rounds.get()
    if last.version.is_blind:
        reviewing.solve_blind(
            review_round=last, reviewer=panel[-1], kind=SolveKind.ANSWER, answer=answer
        )
        give_reviews(last, panel[-1:], Recommendation.ACCEPT, COMMENT_OF_ACCEPTANCE)


def comment_on_question(review_round: ReviewRound, reviewer: User) -> None:
    """Say something of the paragraph that asks, which in a statement is the last."""
    block = list_blocks(review_round.revision.statement)[-1]
    reviewing.show_key(review_round.revision, reviewer)
    commenting.open_thread(
        review_round=review_round,
        writer=reviewer,
        part=ThreadPart.STATEMENT,
        text=COMMENT_ON_QUESTION,
        start=block.start,
        end=block.end,
    )


def name_others(problem: Problem, author: User, contributors: Sequence[User], number: int) -> None:
    """Name co-authors and who had the idea on some problems, as people would."""
    others = [person for person in contributors if person != author]
    if number % 5 == 0:
        name_other(problem, author, others[0], Credit.Role.CO_AUTHOR)
    if number % 5 == 3:
        name_other(problem, author, others[-1], Credit.Role.SUPPLIER)


def name_other(problem: Problem, author: User, person: User, role: str) -> None:
    credit = give_credit(problem=problem, author=author, person=person, role=role)
    accept_credit(credit=credit, by=person)


def publish_version(benchmark: Benchmark, admin: User) -> BenchmarkVersion:
    """Publish what is accepted as version 1, before the study of it that has ended began."""
    version = versioning.make_draft(benchmark=benchmark, by=admin)
    versioning.edit(version=version, changes=CHANGES, hidden=[], by=admin)
    versioning.publish(version=version, by=admin, at=studies.find_beginning() - A_WEEK)
    version.refresh_from_db()
    return version


def hand_in_answers(
    benchmark: Benchmark,
    accepted: Sequence[tuple[Problem, dict[str, Any]]],
    *,
    evaluator: User,
    admin: User,
) -> None:
    """
    Hand in one file a solver.

    They are described and published from the beginning, so that the board fills as the worker
    grades them.
    """
    organisation = organising.make_organisation(name=LABORATORY, by=evaluator)
    organising.confirm(organisation=organisation, by=admin)
    for model in MODELS:
        rows = [
            {
                "id": problem.identifier,
                "model": f"Demo solver, {model.name} (synthetic)",
                "sample": sample,
                "model_answer": response,
            }
            for number, (problem, row) in enumerate(accepted)
            for sample in range(1, model.samples + 1)
            if (response := model.answer(number, sample, row["answers"])) is not None
        ]
        if rows:
            name = f"demo-{model.name.replace(', ', '-').replace(' ', '-')}.json"
            made = _have_graded(name, rows, organisation=organisation, benchmark=benchmark)
            organising.describe(solver=made.solver, by=evaluator, read=0, **model.described)
            Submission.objects.filter(pk=made.pk).update(
                published_at=timezone.now(), published_by=evaluator
            )


@transaction.atomic
def _have_graded(
    name: str, rows: list[dict[str, Any]], *, organisation: Organisation, benchmark: Benchmark
) -> Submission:
    """Have the answers of one model graded, as its evaluator would at the pages."""
    evaluator = organisation.made_by
    draft = drafts.begin(organisation=organisation, benchmark=benchmark, by=evaluator)
    content = io.BytesIO(json.dumps(rows).encode())
    file = drafts.add_file(draft=draft, file=content, name=name, by=evaluator)
    # No worker sees the file before all of this is done.
    claimed = READING.claim(file.pk)
    assert claimed is not None
    READING.do(claimed)
    [made] = submitting.grade(draft=draft, by=evaluator)
    return made


def answer_as_people(
    accepted: Sequence[tuple[Problem, dict[str, Any]]], participants: Sequence[User]
) -> None:
    # One after the other, so that all answer about as many, and none a problem twice.
    turns = cycle(participants)
    for problem, row in accepted:
        revision = Revision.objects.current().get(problem_id=problem.pk)
        for response in row["answers"].get("people", []):
            grading.answer(revision=revision, person=next(turns), response=response)
