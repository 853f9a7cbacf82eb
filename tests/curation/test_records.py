"""What the app writes into histories, plans and assignments is said in the reader's language."""

import re

import pytest
from django.test import Client
from django.utils import translation

from curation.problems.models import Problem
from curation.reviewing.assignments import actions as assigning
from curation.texts.records import RECORDED
from phybench.people.models import User
from tests.conftest import submit
from tests.curation.errors.reports import decide, report_error
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import decide_round
from tests.every_page.language import LATIN
from tests.rendered import list_texts

pytestmark = pytest.mark.django_db
CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9"}


def read(client: Client, person: User, address: str) -> str:
    client.force_login(person)
    return client.get(address, headers=CHINESE).content.decode()


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
    assert "种写法" in history
    assert "错误报告" in history
    assert [text for text in list_texts(history) if LATIN.search(text)] == []


def test_what_an_admin_wrote_stays_as_it_was_written(client, draft, contributor, admin):
    waiting = submit(draft, contributor)
    decide_round(waiting, admin, "REJECT", "Known since 1905.")
    page = read(client, admin, draft.get_absolute_url())
    assert "“评审”阶段：" in page
    assert '<span lang="">Known since 1905.</span>' in page


def test_a_chinese_page_says_in_chinese_why_places_stay_free(client, contributor, admin):
    [waiting] = open_rounds(contributor)
    page = read(client, admin, of_room("assignments") + "?show=spread")
    assert "没有其他评审人" in page
    assert "remain" not in page
    assert waiting.revision.problem.title in page


def test_a_chinese_page_says_in_chinese_why_an_assignment_was_withdrawn(
    client, contributor, reviewer, admin
):
    [waiting] = open_rounds(contributor)
    assign(waiting, reviewer, admin)
    assigning.mark_conflict(
        person=reviewer, author=contributor, admin=admin, reason="They share an office."
    )
    page = read(client, admin, of_room("assignments") + "?show=asked")
    assert '利益冲突： <span lang="">They share an office.</span>' in page


def test_every_sentence_of_ours_is_translated():
    with translation.override("zh-hans"):
        for code, text in RECORDED.items():
            if re.search(r"[a-z]{3}", re.sub(r"\{\w+\}", "", text)):
                assert re.search("[\u4e00-\u9fff]", translation.gettext(text)), code
