"""Something of everything, so that each address has something to show."""

import pgtrigger

from curation.authoring.drafts import actions as curating
from curation.authoring.translations.actions import save_translation
from curation.exchange import imports
from curation.exchange.models import Import
from curation.exchange.terms import ImportTerms
from curation.members import requests
from curation.members.invitations import actions as inviting
from curation.members.invitations.addresses import Entry
from curation.problems.benchmarks.models import Benchmark
from curation.problems.credits.actions import give_credit
from curation.problems.models import Problem
from curation.problems.people.models import Credit
from curation.reports.actions import report_error
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.news import REVIEWS
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import Thread
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.reviewing.reviews import drafts
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound, RoundDisagreement
from curation.texts.stage_texts import STAGES, THREE_STAGES
from curation.versions import actions as versions
from curation.versions.models import BenchmarkVersion
from grading.disputes.contests import actions as contests
from grading.disputes.keys.models import KeyCheck
from grading.disputes.keys.tasks import scan_keys
from grading.disputes.regrades.actions import begin as begin_regrade
from grading.judging.runs import actions as judging
from grading.judging.uploads import actions as judge_files
from grading.model_runs.trials import actions as trying
from grading.samples.audits import actions as auditing
from grading.samples.audits.drawing import draw
from grading.samples.audits.models import AuditSample
from grading.samples.first_errors import actions as first_errors
from grading.samples.first_errors.models import FirstErrorItem, FirstErrorSample, FirstErrorSolver
from grading.samples.labels import actions as labels
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions.actions import start
from phybench.news.jobs.actions import begin as begin_job
from phybench.news.mails.choosing import link_off
from phybench.people.models import Role, User
from phybench.people.tokens.actions import make as make_token
from phybench.people.tokens.models import Scope
from tests import drafts as answer_drafts
from tests.addresses import World
from tests.conftest import ask_to_translate, make_draft, make_person, name_person, submit
from tests.curation.reviewing.rounds.opened import review
from tests.grading.judging.judging import make_plan as make_judge_plan
from tests.grading.model_runs import running
from tests.grading.reported.scores import make_reported
from tests.grading.sessions.conftest import practise
from tests.grading.trials.trials import choose, make_endpoint
from tests.organisations import organisation_of
from tests.versions import hand_in, publish_version
from tests.work import grade_attempt, run_import
from tests.work import judge_item as judge_answer

KEY, SOLUTION = "7351935", "8462046"
"""Numbers in an accepted problem's answer and solution, found again wherever they leak."""


def make_world(
    contributor: User,
    reviewer: User,
    participant: User,
    evaluator: User,
    admin: User,
    benchmark: Benchmark,
) -> World:
    people: dict[str, User | None] = {
        "visitor": None,
        "nobody": make_person(None),
        **{"contributor": contributor, "reviewer": reviewer, "participant": participant},
        **{"evaluator": evaluator, "admin": admin},
    }
    author = make_person(Role.CONTRIBUTOR, "author")
    accepted = make_draft(
        author, benchmark, answer=rf"\frac{{{KEY} m g h}}{{2}}", solution=f"It is ${SOLUTION}$."
    )
    other_reviewer = make_person(Role.REVIEWER, "other-reviewer")
    ask_reviewers(benchmark)
    revise(accepted, author, other_reviewer)
    review(submit(accepted, author), other_reviewer)
    accepted.refresh_from_db()
    disputed = accepted.revisions.get(number=2).rounds.get()
    # As if two had reviewed it: its one review closed it.
    RoundDisagreement.objects.filter(round=disputed).update(recommendations=50)
    in_review = make_draft(author, benchmark, title="In review")
    review_round = submit(in_review, author)
    own_in_review = make_draft(contributor, benchmark, title="Own, in review")
    submit(own_in_review, contributor)
    version = publish_version(benchmark)
    [submission] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=b'[{"id": "%s", "model": "A model", "model_answer": "m g h"}]'
        % accepted.identifier.encode(),
    )
    answers_draft = answer_drafts.make_draft(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        by=evaluator,
        content=b'[{"id": "%s", "model": "A model", "model_answer": "2 m g h"}]'
        % accepted.identifier.encode(),
    )
    attempt = submission.attempts.get()
    grade_attempt(attempt.pk)
    attempt.refresh_from_db()
    contested = contests.contest(
        attempt=attempt, by=evaluator, reason="MISREAD", text="It was misread."
    )
    scan_keys()
    audit = draw(version=version, by=admin, size=2, why="Before the board is shown.")
    labeller = auditing.ask(sample=audit, person=make_person(Role.REVIEWER, "labeller"), by=admin)
    first_error_sample = draw_first_errors(audit, by=admin)
    first_error_labeller = first_errors.ask(
        sample=first_error_sample, person=labeller.person, by=admin
    )
    draft = make_draft(contributor, benchmark, title="A draft")
    credit = name_person(draft, contributor, author, Credit.Role.CO_AUTHOR)
    endpoint = make_endpoint()
    [trial] = trying.begin(problem=draft, by=contributor, choices=[choose(endpoint)], times=1)
    model_run = running.begin(version, endpoint, evaluator)
    plan = make_judge_plan(endpoint, {"kind": "semantic", "mode": "rule_only"})
    judge_run = judging.begin(submission=submission, started_by=evaluator, plan=plan)
    judge_item = judge_run.items.get()
    judge_answer(judge_item.pk)
    label_file = labels.bring(
        by=evaluator,
        file_name="labels.csv",
        content=b"id,model,label,labeller\nC1,A model,right,R. Hooke\n",
        origin="R. Hooke, last May.",
    )
    judge_file = judge_files.upload(
        by=evaluator,
        organisation=organisation_of(evaluator),
        file_name="items.jsonl",
        content=b'{"id": 1, "question": "2+2?", "response": "4"}',
    )
    transfer = imports.begin(
        ImportTerms(Import.Purpose.DRAFTS, benchmark, contributor),
        file_name="drafts.json",
        content=b'[{"id": "%s", "answer": "%s"}]' % (accepted.identifier.encode(), b"m g h"),
    )
    run_import(transfer.pk)
    translated = make_draft(author, benchmark, title="Translated")
    submit(translated, author)
    ask_to_translate(translated, author, contributor)
    save_translation(
        problem=translated,
        language="zh",
        translator=contributor,
        saved_at="",
        statement="$m$ $h$",
        solution="$m g h$",
    )
    report = report_error(
        problem=accepted,
        reporter=make_person(Role.PARTICIPANT, "reporter"),
        kind="ANSWER",
        text=f"I come to {KEY}.",
        own_answer=rf"\frac{{{KEY} m g h}}{{2}}",
    )
    drafts.save(
        review_round=review_round,
        reviewer=reviewer,
        kind="REVIEW",
        fields={"comment": "Begun."},
        saved_at="",
    )
    assignment = assigning.assign(review_round=review_round, reviewer=reviewer, admin=admin)
    study = make_study(version, admin)
    [invitation] = inviting.invite(
        entries=[Entry(1, "invited@test.example", "Ivy")],
        roles=[Role.REVIEWER],
        days=14,
        language="en",
        by=admin,
    )
    nobody = people["nobody"]
    assert nobody
    return World(
        role_request=requests.ask(person=nobody, role=Role.REVIEWER, note="I teach mechanics."),
        invitation=invitation,
        invited=inviting.write_link(invitation).rstrip("/").rpartition("/")[2],
        join_link=inviting.make_link(
            role=Role.CONTRIBUTOR, most=5, days=14, by=admin, benchmark=benchmark
        ),
        study=study,
        sitting=start(participation=practise(study, participant), seed=1),
        report=report,
        assignment=assignment,
        version=version,
        item=version.items.get(),
        draft_version=versions.make_draft(benchmark=benchmark, by=admin),
        conflict=assigning.mark_conflict(
            person=other_reviewer, author=contributor, admin=admin, reason="They share an office."
        ),
        token=link_off(reviewer, [REVIEWS]).rstrip("/").rpartition("/")[2],
        api_token=make_token(person=evaluator, name="Harness", scopes=[Scope.READ], days=7)[0],
        endpoint=endpoint,
        trial=trial,
        judge_run=judge_run,
        audit=audit,
        labeller=labeller,
        first_errors=first_error_sample,
        first_error_labeller=first_error_labeller,
        model_run=model_run,
        run_answer=model_run.answers.get(),
        judge_item=judge_item,
        label_file=label_file,
        judge_file=judge_file,
        people=people,
        author=author,
        benchmark=benchmark,
        accepted=accepted,
        in_review=in_review,
        own_in_review=own_in_review,
        draft=draft,
        credit=credit,
        offer=give_credit(
            problem=make_draft(author, benchmark, title="Offered"),
            author=author,
            person=contributor,
            role=Credit.Role.CO_AUTHOR,
        ),
        transfer=transfer,
        translated=translated,
        thread=begin_thread(review_round, other_reviewer),
        key_check=KeyCheck.objects.get(),
        regrade=begin_regrade(benchmark=benchmark, why="A better grader.", by=admin),
        review_round=review_round,
        disputed=disputed,
        answers_draft=answers_draft,
        answers_file=answers_draft.files.get(),
        job=begin_job("of_the_walk", by=evaluator, title="A job", back="/home/", subject=1),
        reported=make_reported(benchmark, admin),
        submission=submission,
        membership=evaluator.memberships.get(),
        attempt=attempt,
        contest=contested,
    )


def ask_reviewers(benchmark: Benchmark) -> None:
    """Have each round ask what we ship, so that answers are shown, in the reader's language."""
    for place, (text, kind) in enumerate(STAGES[THREE_STAGES][1]["questions"], start=1):
        find_pipeline(benchmark).stages.get().questions.create(
            place=place, text=text, kind=kind, is_required=False
        )


def make_study(version: BenchmarkVersion, admin: User) -> Study:
    """Make an open study of one problem a session."""
    study = studying.make(
        version=version,
        title="Students",
        by=admin,
        problems=1,
        joining=Study.Joining.OPEN,
        consent="I take part of my own will.",
    )
    studying.open_study(study=study, by=admin)
    return study


def draw_first_errors(audit: AuditSample, by: User) -> FirstErrorSample:
    """Ask about the one answer, though it is not published: else the board would tell of it."""
    item = audit.items.get()
    sample = FirstErrorSample.objects.create(
        version=audit.version,
        run=audit.run,
        grader_version=audit.grader_version,
        seed=1,
        size=5,
        drawn_by=by,
    )
    with pgtrigger.ignore("grading.FirstErrorSolver:first_error_solver_is_published"):
        solver = FirstErrorSolver.objects.create(
            sample=sample,
            submission=item.attempt.submission,
            place=1,
            accuracy=0,
            problems=1,
            wrong=1,
        )
    FirstErrorItem.objects.create(
        sample=sample,
        place=1,
        solver=solver,
        attempt=item.attempt,
        revision=item.revision,
        key=item.key,
    )
    return sample


def begin_thread(review_round: ReviewRound, writer: User, text: str = "Which ball?") -> Thread:
    return commenting.open_thread(
        review_round=review_round, writer=writer, part="STATEMENT", text=text, start=0, end=6
    )


def revise(problem: Problem, author: User, reviewer: User) -> None:
    """Have it sent back once, so that it has something that changed."""
    submit_review(
        review_round=submit(problem, author),
        reviewer=reviewer,
        recommendation="REVISE",
        comment="Say more.",
    )
    curating.save_draft(
        problem=problem, author=author, saved_at="", title="Said more", reason="More is said."
    )
