"""What the app writes into histories, plans and assignments is said in the reader's language."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils import translation

from curation.migrations import _recorded as old
from curation.problems.models import Problem
from curation.reports.models import ReportReply
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.distribution import DistributionRule, make_plan
from curation.reviewing.assignments.models import Assignment, PlannedAssignment
from curation.reviewing.rounds import actions as reviewing
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.records import RECORDED
from curation.texts.sentences import translate
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import submit
from tests.curation.errors.reports import decide, report_error
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.every_page.language import LATIN
from tests.rendered import list_texts

pytestmark = pytest.mark.django_db
CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9"}


def read(client: Client, person: User, address: str) -> str:
    client.force_login(person)
    return client.get(address, headers=CHINESE).content.decode()


# --- As pages say it ------------------------------------------------------------------------


@pytest.fixture
def corrected(accepted_problem: Problem, participant: User, admin: User) -> Problem:
    """A problem with each kind of step: tried, reviewed, reopened, and decided by an admin."""
    decide(report_error(accepted_problem, participant), admin, "KEY_FIXED")
    accepted_problem.refresh_from_db()
    return accepted_problem


def test_a_chinese_page_shows_no_english_note_of_ours(client, corrected, admin):
    page = read(client, admin, corrected.get_absolute_url())
    history = page[page.index('<ol class="history">') :]
    history = history[: history.index("</ol>")]
    assert "个用例" in history
    assert "错误报告" in history
    assert [text for text in list_texts(history) if LATIN.search(text)] == []


def test_what_an_admin_wrote_stays_as_it_was_written(client, draft, contributor, admin):
    waiting = submit(draft, contributor)
    reviewing.override(review_round=waiting, admin=admin, step="REJECT", reason="Known since 1905.")
    page = read(client, admin, draft.get_absolute_url())
    assert "“评审”阶段：" in page
    assert '<span lang="">Known since 1905.</span>' in page


def test_a_chinese_page_shows_the_reasons_of_a_plan_in_chinese(client, contributor, admin):
    [waiting] = open_rounds(contributor)
    plan = make_plan(rounds=ReviewRound.objects.all(), admin=admin, rule=DistributionRule())
    page = read(client, admin, reverse("curation:assignment_plan", args=[plan.pk]))
    assert "没有其他评审人" in page
    assert "remain" not in page
    assert plan.rows.get().round == waiting


def test_a_chinese_page_says_in_chinese_why_an_assignment_was_withdrawn(
    client, contributor, reviewer, admin
):
    [waiting] = open_rounds(contributor)
    assign(waiting, reviewer, admin)
    assigning.mark_conflict(
        person=reviewer, author=contributor, admin=admin, reason="They share an office."
    )
    page = read(client, admin, reverse("curation:assignment_list"))
    assert '利益冲突： <span lang="">They share an office.</span>' in page


def test_every_sentence_of_ours_is_translated():
    with translation.override("zh-hans"):
        for code, text in RECORDED.items():
            if re.search(r"[a-z]{3}", re.sub(r"\{\w+\}", "", text)):
                assert re.search("[\u4e00-\u9fff]", translation.gettext(text)), code


# --- Texts of earlier versions --------------------------------------------------------------

CERTIFIED = "Certificate 3: 24 of 25 cases passed."
CONFIRMED = (
    f"{CERTIFIED} The author confirmed the rest: “I have checked each undecided case, and the "
    "answer is right as it is.”"
)


def say(kept: dict[str, Any] | None) -> str:
    """Say in English what a migration has read; it is kept as rows keep it."""
    assert kept is not None
    message = Sentence.read(json.loads(json.dumps(kept)))
    assert Sentence.read(message.write()) == message
    return translate(message)


@pytest.mark.parametrize(
    "note",
    [
        CERTIFIED,
        CONFIRMED,
        "Not certified yet: no variant of the answer was tried.",
        f"{CERTIFIED} The author compared it with C7, 54: it is different.",
        f"{CONFIRMED} The author compared it with C7: it is different.",
        "Final solving: 2 accept, 2 of 2 blind solves agree",
        "Round: the second: 1 accept, 2 revise, 1 reject",
    ],
)
def test_a_note_of_ours_says_the_same_after_the_migration(note):
    message, rest = old.read_event(note, (), is_override=False)
    assert (say(message), rest) == (note, "")


def test_what_a_person_wrote_is_told_from_what_the_app_wrote_around_it():
    message, rest = old.read_event("Error report 5: It is twice that.", (), is_override=False)
    assert (say(message), rest) == ("Error report 5:", "It is twice that.")
    message, rest = old.read_event("A: b: Known.", ["A", "A: b"], is_override=True)
    assert say(message) in {"Stage “A”:", "Stage “A: b”:"}
    assert rest in {"b: Known.", "Known."}
    assert old.read_withdrawal("Conflict: Married.") == ({"code": "released_conflict"}, "Married.")
    assert old.read_reply("The correction was abandoned: Fine as it is.") == (
        {"code": "correction_abandoned"},
        "Fine as it is.",
    )


@pytest.mark.parametrize(
    "text", ["The key was published.", "Known: 2 accept it", "Error report: none", "审核通过"]
)
def test_what_is_not_recognised_stays_as_text(text):
    assert old.read_event(text, (), is_override=False) == (None, text)
    assert old.read_event(text, ["Review"], is_override=True) == (None, text)
    assert old.read_withdrawal(text) == (None, text)
    assert old.read_reply(text) == (None, text)
    assert old.read_why(text) is None
    assert old.read_refusal(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "All its reviews are given or assigned.",
        "1 place remains free. There are no other reviewers.",
        "3 places remain free. declined it: 2; has seen the answer: 1.",
    ],
)
def test_why_places_stay_free_says_the_same_after_the_migration(text):
    assert say(old.read_why(text)) == text


def test_a_reason_that_is_not_known_leaves_all_of_it_as_text():
    assert old.read_why("2 places remain free. on holiday: 2.") is None


@pytest.mark.parametrize(
    "text",
    [
        "All reviews of this round are given or assigned.",
        "Ann has declined it in the meantime.",
        "Ann holds one open review, as many as one person should.",
        "Ann holds 12 open reviews, as many as one person should.",
        "Ann can’t be assigned “A falling ball”: conflict of interest.",
    ],
)
def test_why_nothing_was_assigned_says_the_same_after_the_migration(text):
    assert say(old.read_refusal(text)) == text


def migrate(*targets: tuple[str, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    MigrationExecutor(connection).migrate([*targets])


def describe() -> list[Any]:
    return [
        [
            (one.message, one.note)
            for problem in Problem.objects.all()
            for one in problem.events.all()
        ],
        [(one.message, one.reason) for one in Assignment.objects.order_by("pk")],
        [(one.why, one.why_refused) for one in PlannedAssignment.objects.order_by("pk")],
        [(one.message, one.text) for one in ReportReply.objects.order_by("pk")],
    ]


# Each later migration makes it longer, and what it tries is done.
@pytest.mark.slow
def test_rows_survive_the_way_back_and_forth(corrected, contributor, reviewer, admin):
    waiting, other = open_rounds(contributor, count=2)
    assign(waiting, reviewer, admin)
    make_plan(rounds=ReviewRound.objects.all(), admin=admin, rule=DistributionRule())
    reviewing.override(review_round=other, admin=admin, step="RETURN", reason="Unclear.")
    assigning.mark_conflict(person=reviewer, author=contributor, admin=admin, reason="Married.")
    before = describe()
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    migrate(("curation", "0015_words"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT note FROM curation_event WHERE note LIKE 'Error report %'")
        assert cursor.fetchone()[0].startswith("Error report ")
    migrate(*newest)
    for now, then in zip(describe(), before, strict=True):
        assert now == then
