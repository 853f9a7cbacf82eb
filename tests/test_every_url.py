"""
Every address of the project, as everybody: who gets in, and that no key gets out.

A new address fails here until the table says who may have it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from curation import actions as curating
from curation import assigning, commenting, reminding, review_drafts
from curation.crediting import assign_translator, give_credit
from curation.distributing import Rule, make_plan
from curation.exchange import running
from curation.exchange.tasks import run_import
from curation.exchange.terms import Terms
from curation.models import (
    Assignment,
    AssignmentPlan,
    Benchmark,
    Conflict,
    Credit,
    ErrorReport,
    Import,
    Problem,
    ReviewRound,
    RoundDisagreement,
    Thread,
)
from curation.reporting import report_error
from curation.translating import save_translation
from grading import actions as grading
from grading import run_actions as judging
from grading import trial_actions as trying
from grading.models import Attempt, Endpoint, JudgeItem, JudgeRun, KeyCheck, Submission, Trial
from grading.tasks import grade_attempt, scan_keys
from grading.tasks import judge_item as judge_answer
from phybench.models import Role, User
from tests.conftest import accept, make_draft, make_person, submit
from tests.curation.rounds import open_round, pass_first_stages, solve
from tests.curation.rounds import review as give_review
from tests.grading.judging import make_plan as make_judge_plan
from tests.grading.trials import choose, make_endpoint

KEY, SOLUTION = "7351935", "8462046"
"""Numbers in an accepted problem's answer and solution, found again wherever they leak."""

PEOPLE = ("visitor", "nobody", *(role.lower() for role in Role))
LOGIN = "log in first"
"""What a visitor is told; anything else expected is a status."""


@dataclass
class World:
    """Something of everything, so that each address has something to show."""

    people: dict[str, User | None]
    author: User
    benchmark: Benchmark
    accepted: Problem
    in_review: Problem
    draft: Problem
    own_in_review: Problem
    """The contributor's; `in_review` is somebody else's."""
    review_round: ReviewRound
    disputed: ReviewRound
    """Over `accepted`: its reviews disagree."""
    submission: Submission
    attempt: Attempt
    credit: Credit
    """Somebody else's name, on `draft`."""
    key_check: KeyCheck
    transfer: Import
    """A file of the contributor's."""
    endpoint: Endpoint
    trial: Trial
    """Of `draft`."""
    report: ErrorReport
    """On `accepted`, by somebody who is none of these people, and came to the key."""
    judge_run: JudgeRun
    """On `submission`, by the rules alone."""
    judge_item: JudgeItem
    translated: Problem
    """In review, and translated by the contributor."""
    thread: Thread
    """Begun by another reviewer in `review_round`."""
    assignment: Assignment
    """The reviewer's, of `review_round`."""
    plan: AssignmentPlan
    conflict: Conflict
    token: str
    """Of the reviewer's reminders."""
    one: int = 1
    chinese: str = "zh"


@dataclass(frozen=True)
class Expectation:
    arguments: str = ""
    """Attributes of the world that the address is made of, e.g. `accepted.pk`; blanks between."""
    visitor: int | str = LOGIN
    others: int = 200
    but: dict[str, int] = field(default_factory=dict)

    def of(self, person: str) -> int | str:
        return self.visitor if person == "visitor" else self.but.get(person, self.others)


def only(*people: str, arguments: str = "", otherwise: int = 403, admin: int = 200) -> Expectation:
    """Let in only these, and admins."""
    but = {**dict.fromkeys(people, 200), "admin": admin}
    return Expectation(arguments, others=otherwise, but=but)


def posted(*people: str, arguments: str = "") -> Expectation:
    """Let only these, and admins, post something; nobody can read it."""
    return Expectation(arguments, others=403, but=dict.fromkeys((*people, "admin"), 405))


PUBLIC = Expectation(visitor=200)
SIGNED_IN = Expectation()

EXPECTED = {
    # Django's and allauth's own.
    "account_login": Expectation(visitor=200, others=302),
    "account_signup": Expectation(visitor=200, others=302),
    "account_logout": Expectation(visitor=302),
    "account_inactive": PUBLIC,
    "account_reauthenticate": SIGNED_IN,
    "account_confirm_login_code": Expectation(others=302),
    "account_email": SIGNED_IN,
    "account_change_password": SIGNED_IN,
    "account_set_password": Expectation(others=302),
    "account_email_verification_sent": PUBLIC,
    "account_reset_password": PUBLIC,
    "account_reset_password_done": PUBLIC,
    "account_reset_password_from_key_done": PUBLIC,
    # The project's.
    "board": PUBLIC,
    "board_of": Expectation("benchmark.slug", visitor=200),
    "board_csv": Expectation("benchmark.slug", visitor=200),
    "home": SIGNED_IN,
    "profile": SIGNED_IN,
    "how_grading_works": PUBLIC,
    "choose_language": Expectation(visitor=405, others=405),
    "prefer_language": Expectation(others=405),
    # Problems.
    "curation:problems": SIGNED_IN,
    "curation:problems_csv": SIGNED_IN,
    "curation:problem": Expectation("accepted.pk"),
    # What was before is for those who may see the key.
    "curation:compare": only(arguments="accepted.pk", otherwise=404),
    "curation:similar": Expectation("accepted.pk"),
    "curation:new": only("contributor"),
    "curation:preview": posted("contributor"),
    "curation:second_reading": posted("contributor"),
    "curation:autosave": posted("contributor"),
    # An admin reads everything, but a text is its author's.
    "curation:edit": only("contributor", arguments="draft.pk", admin=404),
    "curation:certificate": only("contributor", arguments="draft.pk", admin=404),
    "curation:delete": only("contributor", arguments="draft.pk", admin=404),
    "curation:withdraw": only("contributor", arguments="own_in_review.pk", admin=404),
    "curation:submit": posted("contributor", arguments="draft.pk"),
    "curation:people": only("contributor", arguments="draft.pk", admin=404),
    # Of these its author; who is named is none of them.
    "curation:remove_credit": Expectation(
        "draft.pk credit.pk", others=404, but={"contributor": 200}
    ),
    # Of `translated` the contributor is the translator; others who read it find no drafts.
    "curation:translations": only("contributor", arguments="translated.pk", otherwise=404),
    "curation:translation": only("contributor", arguments="translated.pk chinese", otherwise=404),
    **{
        f"curation:{name}_translation": Expectation("translated.pk chinese", others=405)
        for name in ("autosave", "preview", "check")
    },
    "curation:contributors": SIGNED_IN,
    "curation:contributors_csv": SIGNED_IN,
    "curation:acknowledgements_csv": SIGNED_IN,
    "curation:my_contributions": SIGNED_IN,
    "curation:my_contributions_csv": SIGNED_IN,
    "curation:export": SIGNED_IN,
    "curation:imports": only("contributor"),
    "curation:new_import": only("contributor"),
    # Others' imports are theirs.
    "curation:import": only("contributor", arguments="transfer.pk"),
    "curation:import_csv": only("contributor", arguments="transfer.pk"),
    "curation:carry_out_import": posted("contributor", arguments="transfer.pk"),
    "curation:discard_import": posted("contributor", arguments="transfer.pk"),
    "curation:export_dataset": only(arguments="benchmark.slug"),
    "curation:downloads": only(),
    "curation:downloads_csv": only(),
    "curation:queue": only("reviewer"),
    "curation:review": only("reviewer", arguments="review_round.pk", admin=404),
    "curation:solve": posted("reviewer", arguments="review_round.pk"),
    "curation:show_answer": posted("reviewer", arguments="review_round.pk"),
    "curation:decide": only(arguments="review_round.pk"),
    # Errors found in what is accepted: a report is its reporter's, the writers' and reviewers'.
    "curation:new_report": Expectation("accepted.pk"),
    "curation:reports": SIGNED_IN,
    "curation:reports_csv": SIGNED_IN,
    "curation:report": only(arguments="report.pk", otherwise=404),
    "curation:decide_report": only(arguments="report.pk", admin=302),
    "curation:keep": only(arguments="accepted.pk", admin=302),
    "curation:exposures": only(),
    "curation:exposures_csv": only(),
    # Evidence over all reviews, and the pipelines: for admins.
    "curation:disagreements": only(),
    "curation:disagreements_csv": only(),
    "curation:disagreement": only(arguments="disputed.pk"),
    "curation:agreement": only(),
    "curation:agreement_csv": only(),
    "curation:pipelines": only(),
    "curation:new_pipeline": only(),
    **{
        f"curation:{name}": only(arguments="benchmark.pipeline_id")
        for name in ("pipeline", "delete_pipeline", "new_stage")
    },
    "curation:default_pipeline": posted(arguments="benchmark.pipeline_id"),
    "curation:give_pipeline": posted(arguments="benchmark.pipeline_id"),
    "curation:stage": only(arguments="review_round.stage_id"),
    "curation:delete_stage": only(arguments="review_round.stage_id"),
    "curation:move_stage": posted(arguments="review_round.stage_id"),
    **{
        f"curation:{name}": posted("reviewer", arguments="review_round.pk")
        for name in ("read_answer", "skip_review", "admin_note", "save_review_draft")
    },
    # What somebody typed and did not submit is theirs alone.
    "curation:review_draft": only("reviewer", arguments="review_round.pk", admin=404),
    # Nothing is asked of no passage.
    "curation:new_comment": Expectation(
        "review_round.pk", others=403, but={"reviewer": 404, "admin": 404}
    ),
    **{f"curation:{name}": Expectation("thread.pk", others=405) for name in ("reply", "settle")},
    # Who reviews what.
    "curation:take": posted("reviewer", arguments="review_round.pk"),
    "curation:take_next": posted("reviewer"),
    # An assignment is its reviewer's; to take it back is another page.
    "curation:decline": only("reviewer", arguments="assignment.pk", admin=404),
    "curation:revoke": only(arguments="assignment.pk"),
    "curation:assignments": only(),
    "curation:assignments_csv": only(),
    "curation:assignment_list": only(),
    # Without a round that was chosen it leads back to the list.
    "curation:assign": only(admin=302),
    "curation:distribute": only(),
    "curation:assignment_plan": only(arguments="plan.pk"),
    "curation:conflicts": only(),
    "curation:lift_conflict": posted(arguments="conflict.pk"),
    "curation:reviewing_profile": only("reviewer"),
    # Signed: whoever holds the link, a mail program too.
    "curation:reminders_off": Expectation("token", visitor=200),
    # Answers and grades.
    "grading:submissions": only("evaluator"),
    "grading:upload": only("evaluator"),
    "grading:problems_json": only("evaluator", arguments="benchmark.slug"),
    "grading:submission": only("evaluator", arguments="submission.pk"),
    "grading:submission_csv": only("evaluator", arguments="submission.pk"),
    "grading:withdraw": only("evaluator", arguments="submission.pk"),
    "grading:try_again": posted("evaluator", arguments="submission.pk"),
    "grading:attempt": only("evaluator", arguments="attempt.pk", otherwise=404),
    # Judges: who handed a submission in has it judged; others find no run of theirs.
    "grading:new_judge_run": only("evaluator", arguments="submission.pk"),
    "grading:judge_runs": only("evaluator"),
    "grading:judge_run": only("evaluator", arguments="judge_run.pk"),
    "grading:judge_run_csv": only("evaluator", arguments="judge_run.pk"),
    **{
        f"grading:{name}": posted("evaluator", arguments="judge_run.pk")
        for name in ("pause_judge_run", "resume_judge_run", "cancel_judge_run", "judge_again")
    },
    "grading:judgement": only("evaluator", arguments="judge_item.pk"),
    "grading:judge_prompts": only("evaluator"),
    "grading:judge_prompt": only("evaluator", arguments="judge_run.configuration.prompt_id"),
    "grading:release_prompt": posted(arguments="judge_run.configuration.prompt_id"),
    "grading:rulings": only("evaluator"),
    # One has to see the reference to rule, and not to have handed the answer in.
    "grading:rule": Expectation("attempt.pk", others=403, but={"admin": 200, "evaluator": 404}),
    "grading:calibration": only("evaluator"),
    "grading:calibration_csv": only("evaluator"),
    "grading:keys": only("admin"),
    "grading:keys_csv": only("admin"),
    "grading:look_again": posted("admin"),
    "grading:key": only("admin", arguments="key_check.pk"),
    "grading:to_answer": only("participant"),
    "grading:answer": only("participant", arguments="accepted.pk"),
    "grading:read_as": posted("participant", arguments="accepted.pk"),
    # Trials of a draft: for those who write it, and admins.
    "grading:trials": only("contributor", arguments="draft.pk", otherwise=404),
    "grading:tries": only(arguments="attempt.revision_id", otherwise=404),
    "grading:trials_csv": only("contributor", arguments="draft.pk", otherwise=404),
    "grading:trial_answer": only("contributor", arguments="trial.pk one", otherwise=404),
    "grading:cancel_trial": Expectation("trial.pk", others=405),
    "grading:ask_again": Expectation("trial.pk", others=405),
    # Endpoints.
    "grading:endpoints": only(),
    "grading:new_endpoint": only(),
    "grading:endpoint": only(arguments="endpoint.pk"),
    "grading:edit_endpoint": only(arguments="endpoint.pk"),
    "grading:probe_endpoint": posted(arguments="endpoint.pk"),
    "grading:pause_endpoint": posted(arguments="endpoint.pk"),
    "grading:resume_endpoint": posted(arguments="endpoint.pk"),
    "grading:offer_models": posted(arguments="endpoint.pk"),
    "grading:spending_csv": only(arguments="endpoint.pk"),
}


@pytest.fixture
def world(contributor, reviewer, participant, evaluator, admin, benchmark) -> World:
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
    revise(accepted, author, other_reviewer)
    accept(accepted, author, other_reviewer)
    disputed = accepted.revisions.get(number=2).rounds.get()
    # As if two had reviewed it: its one review closed it.
    RoundDisagreement.objects.filter(round=disputed).update(recommendations=50)
    in_review = make_draft(author, benchmark, title="In review")
    review_round = submit(in_review, author)
    own_in_review = make_draft(contributor, benchmark, title="Own, in review")
    submit(own_in_review, contributor)
    [submission] = grading.hand_in(
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=b'[{"id": "%s", "model": "A model", "model_answer": "m g h"}]'
        % accepted.identifier.encode(),
    )
    attempt = submission.attempts.get()
    grade_attempt(attempt.pk)
    scan_keys()
    draft = make_draft(contributor, benchmark, title="A draft")
    credit = give_credit(
        problem=draft, author=contributor, person=author, role=Credit.Role.CO_AUTHOR
    )
    endpoint = make_endpoint()
    [trial] = trying.begin(problem=draft, asked_by=contributor, choices=[choose(endpoint)], times=1)
    plan = make_judge_plan(endpoint, {"kind": "semantic", "mode": "rule_only"})
    judge_run = judging.begin(submission=submission, started_by=evaluator, plan=plan)
    judge_item = judge_run.items.get()
    judge_answer(judge_item.pk)
    transfer = running.begin(
        Terms(Import.Purpose.DRAFTS, benchmark, contributor),
        file_name="drafts.json",
        content=b'[{"id": "%s", "answer": "%s"}]' % (accepted.identifier.encode(), b"m g h"),
    )
    run_import(transfer.pk)
    translated = make_draft(author, benchmark, title="Translated")
    submit(translated, author)
    assign_translator(problem=translated, by=author, person=contributor, language="zh")
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
    review_drafts.save(
        review_round=review_round,
        reviewer=reviewer,
        kind="REVIEW",
        fields={"comment": "Begun."},
        saved_at="",
    )
    assignment = assigning.assign(review_round=review_round, reviewer=reviewer, admin=admin)
    return World(
        report=report,
        assignment=assignment,
        plan=make_plan(rounds=ReviewRound.objects.all(), admin=admin, rule=Rule()),
        conflict=assigning.mark_conflict(
            person=other_reviewer, author=contributor, admin=admin, reason="They share an office."
        ),
        token=reminding.sign(reviewer),
        endpoint=endpoint,
        trial=trial,
        judge_run=judge_run,
        judge_item=judge_item,
        people=people,
        author=author,
        benchmark=benchmark,
        accepted=accepted,
        in_review=in_review,
        own_in_review=own_in_review,
        draft=draft,
        credit=credit,
        transfer=transfer,
        translated=translated,
        thread=begin_thread(review_round, other_reviewer),
        key_check=KeyCheck.objects.get(),
        review_round=review_round,
        disputed=disputed,
        submission=submission,
        attempt=attempt,
    )


def begin_thread(review_round: ReviewRound, writer: User, text: str = "Which ball?") -> Thread:
    return commenting.open_thread(
        review_round=review_round, writer=writer, part="STATEMENT", text=text, start=0, end=6
    )


def revise(problem: Problem, author: User, reviewer: User) -> None:
    """Have it sent back once, so that it has something that changed."""
    curating.submit_review(
        review_round=submit(problem, author),
        reviewer=reviewer,
        recommendation="REVISE",
        comment="Say more.",
    )
    curating.save_draft(
        problem=problem, author=author, saved_at="", title="Said more", reason="More is said."
    )


def walk(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, URLPattern]]:
    """List each named address with its name, namespaces and all."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from walk(pattern, inner)
        elif pattern.name or not namespace:
            yield f"{namespace}{pattern.name}", pattern


ADDRESSES = dict(walk(get_resolver()))
OURS = sorted(name for name in ADDRESSES if not name.startswith("admin:"))
BACK_OFFICE = sorted(name for name in ADDRESSES if name.startswith("admin:"))
WALKED = [name for name in OURS if name in EXPECTED]
ONE_TIME_KEYS = {"account_confirm_email", "account_reset_password_from_key"}
"""Reached with a key from an e-mail, whoever has it: allauth's to check."""


def follow(path: str, world: World) -> Any:
    value: Any = world
    for name in path.split("."):
        value = getattr(value, name)
    return value


def address_of(name: str, world: World) -> str:
    paths = EXPECTED[name].arguments.split()
    return reverse(name, args=[follow(path, world) for path in paths])


def client_of(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client


@pytest.mark.parametrize("name", OURS)
def test_the_table_says_who_may_have_each_address(name):
    assert name in EXPECTED or name in ONE_TIME_KEYS, f"say in the table who may have {name}"


def test_the_table_names_no_address_that_is_gone():
    assert set(EXPECTED) - set(ADDRESSES) == set()


@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_everybody_gets_what_the_table_says(world, person):
    answered: dict[str, int | str] = {}
    client = client_of(world.people[person])
    for name in WALKED:
        answer = client.get(address_of(name, world))
        to_login = answer.status_code == 302 and answer["Location"].startswith(
            reverse("account_login")
        )
        answered[name] = LOGIN if to_login and person == "visitor" else answer.status_code
    assert answered == {name: EXPECTED[name].of(person) for name in WALKED}


@pytest.mark.django_db
@pytest.mark.parametrize("person", [person for person in PEOPLE if person != "admin"])
def test_the_key_of_an_accepted_problem_reaches_only_who_may_have_it(world, person):
    client = client_of(world.people[person])
    for name in WALKED:
        for headers in ({}, {"HX-Request": "true"}):
            answer = client.get(address_of(name, world), headers=headers, follow=True)
            content = b"".join(answer) if answer.streaming else answer.content
            found = [mark for mark in (KEY, SOLUTION) if mark.encode() in content]
            assert found == [], f"{name} shows the key to the {person}"


@pytest.mark.django_db
def test_the_key_is_where_its_author_looks_for_it(world):
    """Without this the test above would hold for an empty page."""
    answer = client_of(world.author).get(world.accepted.get_absolute_url())
    assert KEY in answer.content.decode()
    assert SOLUTION in answer.content.decode()


VERDICT, SOLVED = "9573157", "1357951"
"""Numbers in what another reviewer said and solved."""


@pytest.fixture
def blind_round(contributor, benchmark) -> ReviewRound:
    """Wait for the last of three stages, solved and reviewed by somebody, on a later revision."""
    benchmark.pipeline = None
    benchmark.save()
    author = make_person(Role.CONTRIBUTOR, "blind-author")
    other, solver = make_person(Role.REVIEWER, "early"), make_person(Role.REVIEWER, "solver")
    problem = make_draft(
        author, benchmark, answer=rf"\frac{{{KEY} m g h}}{{2}}", solution=f"It is ${SOLUTION}$."
    )
    submit(problem, author)
    begin_thread(open_round(problem), other, f"I find {VERDICT}.")
    give_review(open_round(problem), other, "REVISE", comment=f"I find {VERDICT}.")
    curating.save_draft(
        problem=problem, author=author, saved_at="", reason=f"It was {KEY} and still is."
    )
    submit(problem, author)
    blind = pass_first_stages(problem, other)
    solve(blind, solver, f"{SOLVED} m g h")
    begin_thread(blind, solver, f"I find {VERDICT}.")
    commenting.write_note(review_round=blind, writer=solver, text=f"I find {VERDICT}.")
    give_review(blind, solver, comment=f"I find {VERDICT}.")
    drafted = {"comment": f"I find {VERDICT}, I think.", "replaces": "1"}
    review_drafts.save(
        review_round=blind, reviewer=solver, kind="REVIEW", fields=drafted, saved_at=""
    )
    return blind


def list_everything(review_round: ReviewRound) -> Iterator[tuple[str, str]]:
    """List each of our addresses, with whatever number in it could be about this round."""
    problem = review_round.revision.problem
    for name in OURS:
        wanted = ADDRESSES[name].pattern.regex.groupindex
        for number in {problem.pk, review_round.pk} if "pk" in wanted else {0}:
            arguments = {key: problem.benchmark.slug if key == "slug" else number for key in wanted}
            try:
                address = reverse(name, kwargs=arguments or None)
            except NoReverseMatch:
                continue
            yield name, address
            yield name, f"{address}?revision=1&from=1&to=2&show=review"


def find_everything_said(
    client: Client, address: str, said: Iterable[str], method: str = "get", **options: Any
) -> list[str]:
    """List those of `said` that an address shows."""
    answer = getattr(client, method)(address, follow=True, **options)
    content = b"".join(answer) if answer.streaming else answer.content
    return [one for one in said if one.encode() in content]


def find_secrets(client: Client, address: str, method: str = "get", **options: Any) -> list[str]:
    secrets = (KEY, SOLUTION, VERDICT, SOLVED)
    return find_everything_said(client, address, secrets, method, **options)


@pytest.mark.django_db
def test_no_reviewer_learns_the_key_or_a_verdict_before_their_own(blind_round, reviewer):
    client = client_of(reviewer)
    for name, address in list_everything(blind_round):
        if name != "account_logout":
            assert find_secrets(client, address) == [], address
            assert find_secrets(client, address, headers={"HX-Request": "true"}) == [], address
    review_page = reverse("curation:review", args=[blind_round.pk])
    for name in ("review", "solve", "show_answer", "decide"):
        address = reverse(f"curation:{name}", args=[blind_round.pk])
        # Nothing that is sent incomplete, unreadable or to the wrong address tells either.
        for sent in ({}, {"kind": "ANSWER", "answer": r"\frac{m"}, {"recommendation": "ACCEPT"}):
            assert find_secrets(client, address, "post", data=sent) == [], (address, sent)
    assert client.get(review_page).context["phase"] == "solve"

    # Their own answer shows them the key, and still nobody's verdict or solve.
    solve_page = reverse("curation:solve", args=[blind_round.pk])
    sent = {"kind": "ANSWER", "answer": "m g h"}
    assert find_secrets(client, solve_page, "post", data=sent) == [KEY, SOLUTION]
    for name, address in list_everything(blind_round):
        if name.startswith("curation:"):
            assert not {VERDICT, SOLVED} & set(find_secrets(client, address)), address


ARGUMENTS = {"app_label": "curation"}
"""What an address of the back office is made of, where "1" won't do."""


@pytest.mark.django_db
@pytest.mark.parametrize("person", [person for person in PEOPLE if person != "admin"])
def test_the_back_office_is_for_admins(world, person):
    # These three know neither people nor data.
    let_in = []
    client = client_of(world.people[person])
    for name in set(BACK_OFFICE) - {"admin:login", "admin:logout", "admin:jsi18n"}:
        wanted = ADDRESSES[name].pattern.regex.groupindex
        arguments = {key: ARGUMENTS.get(key, "1") for key in wanted}
        answer = client.get(reverse(name, kwargs=arguments or None))
        if answer.status_code not in {302, 403, 405}:
            let_in.append(name)
    assert let_in == []
