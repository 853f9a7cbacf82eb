"""Which language the pages speak, who chooses it, and that Chinese pages are Chinese."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from curation.problems.models import Problem
from curation.problems.templatetags.statements import recorded
from curation.reviewing.pipelines.shipped import make_pipeline
from curation.reviewing.rounds.lifecycle import submit_review
from curation.texts.sentences import translate
from curation.texts.stage_texts import THREE_STAGES
from phybench import catalogue
from phybench.people.models import Role, User
from tests import messages
from tests.conftest import make_draft, make_person, set_review, submit

pytestmark = pytest.mark.django_db

CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9,en;q=0.5"}


def spoken(page) -> str:
    return re.search(r'<html lang="([^"]+)"', page.content.decode())[1]


def test_the_day_on_which_a_review_is_due_is_written_as_the_language_writes_it(
    client, benchmark, draft, contributor
):
    # The stages of the full plan say how long they are open.
    set_review(benchmark, pipeline=make_pipeline(THREE_STAGES))
    draft.refresh_from_db()
    due = submit(draft, contributor).due_at
    assert due
    client.force_login(contributor)
    address = draft.get_absolute_url()
    assert (
        f"due {due:%-d %b}"
        in client.get(address, headers={"Accept-Language": "en"}).content.decode()
    )
    chinese = client.get(address, headers=CHINESE).content.decode()
    assert f"截止 {due.month}月{due.day}日" in chinese


# --- Choosing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("zh-CN", "zh-hans"),
        ("zh", "zh-hans"),
        ("zh-TW", "zh-hans"),
        ("en-GB,zh;q=0.5", "en"),
        ("fr", "en"),
        ("x" * 1000, "en"),
        ("", "en"),
    ],
)
def test_a_visitor_is_spoken_to_as_their_browser_asks(client, asked, expected):
    page = client.get(reverse("account_login"), headers={"Accept-Language": asked})
    assert spoken(page) == expected
    assert "Accept-Language" in page["Vary"]


def test_a_visitor_s_choice_lasts_and_goes_before_their_browser(client):
    back = reverse("how_grading_works")
    answer = client.post(reverse("choose_language"), {"language": "zh-hans", "next": back})
    assert answer["Location"] == back
    assert spoken(client.get(back)) == "zh-hans"


def test_a_person_s_choice_is_theirs_in_every_browser(client, contributor):
    client.force_login(contributor)
    client.post(reverse("choose_language"), {"language": "zh-hans"})
    client.cookies.pop("django_language")
    assert spoken(client.get(reverse("inbox"))) == "zh-hans"
    contributor.refresh_from_db()
    assert contributor.interface_language == "zh-hans"
    form = {"display_name": "C", "interface_language": "", "problem_language": ""}
    client.post(reverse("profile"), form)
    assert spoken(client.get(reverse("inbox"))) == "en"


@pytest.mark.parametrize("asked", ["", "xx", "../../etc", "en\r\nSet-Cookie: a=b", "zh-hans\x00"])
def test_what_is_no_language_changes_nothing(client, contributor, asked):
    client.force_login(contributor)
    client.post(reverse("choose_language"), {"language": asked})
    client.post(reverse("prefer_language"), {"problem_language": asked})
    contributor.refresh_from_db()
    assert (contributor.interface_language, contributor.problem_language) == ("", "")


@pytest.mark.parametrize("name", ["choose_language", "choose_scheme", "prefer_language"])
@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:"]
)
def test_choosing_leads_nowhere_else(client, contributor, name, back):
    client.force_login(contributor)
    answer = client.post(reverse(name), {"language": "en", "next": back})
    assert "elsewhere" not in answer["Location"]
    assert "javascript" not in answer["Location"]


# --- What is said ---------------------------------------------------------------------------


def visible(page) -> str:
    """Return what a page says of itself, without what people wrote."""
    text = re.sub(r"<(script|style|textarea)\b.*?</\1>", " ", page.content.decode(), flags=re.S)
    return unescape(text)


def list_english() -> list[str]:
    """List the sentences of the catalogue that are told from anything else."""
    # All that are marked are in it: test_catalogue.py.
    [path] = catalogue.find_catalogues()
    found = [message.id for message in messages.read(path) if isinstance(message.id, str)]
    return [one for one in found if one.count(" ") >= 2 and "%" not in one and "{" not in one]


@pytest.fixture
def everything(contributor, reviewer, benchmark) -> dict[str, list[str]]:
    """The pages of those who write, review and answer, for somebody who holds all these roles."""
    person = make_person(Role.CONTRIBUTOR, "everything")
    person.roles = ["CONTRIBUTOR", "REVIEWER", "PARTICIPANT"]
    person.save()
    own = make_draft(person, benchmark)
    waiting = submit(make_draft(contributor, benchmark, title="Waiting"), contributor)
    open_problem = make_draft(contributor, benchmark, title="Open")
    submit_review(
        review_round=submit(open_problem, contributor),
        reviewer=reviewer,
        recommendation="ACCEPT",
        comment="",
    )
    names = ["inbox", "profile", "how_grading_works", "grading:to_answer"]
    names += ["curation:my_contributions", "account_email", "account_change_password"]
    paths = [
        *map(reverse, names),
        reverse("curation:queue", args=[benchmark.slug]),
        *(f"/b/test/{end}" for end in ("problems/", "problems/new/", "contributors/")),
        *(
            own.get_absolute_url() + end
            for end in ("", "edit/", "?part=people", "translate/", "similar/", "leave/?do=delete")
        ),
        reverse("curation:edit", args=[own.pk]) + "?refused=1",
        reverse("curation:review", args=[waiting.pk]),
        reverse("grading:answer", args=[open_problem.pk]),
    ]
    visitors = ["account_login", "account_signup", "account_reset_password", "board"]
    return {person.email: paths, "": [*map(reverse, visitors), "/nowhere/"]}


def test_pages_for_writing_reviewing_and_answering_are_chinese_throughout(client, everything):
    english = list_english()
    for email, paths in everything.items():
        client.logout()
        if email:
            client.force_login(User.objects.get(email=email))
        for path in paths:
            page = client.get(path, headers=CHINESE)
            assert page.status_code in {200, 404}, path
            assert spoken(page) == "zh-hans"
            text = visible(page)
            assert [one for one in english if one in text] == [], path
            assert len(re.findall("[\u4e00-\u9fff]", text)) > 20


def test_what_the_reader_says_while_one_types_is_chinese(client, contributor, accepted_problem):
    client.force_login(contributor)
    data = {"statement": "See figure 1.", "answer": "E = m = 1", "solution": "<b>x</b>"}
    page = client.post(
        reverse("curation:new", args=["test"]) + "?part=preview", data, headers=CHINESE
    ).content.decode()
    assert "只写表达式" in page
    assert "请用文字描述图的内容" in page
    participant = make_person(Role.PARTICIPANT, "p")
    client.force_login(participant)
    address = reverse("grading:read_as", args=[accepted_problem.pk])
    page = client.post(address, {"response": r"\foo"}, headers=CHINESE).content.decode()
    assert r"不支持命令 \foo" in page


def test_dates_follow_the_language(client, contributor, benchmark):
    problem = make_draft(contributor, benchmark)
    client.force_login(contributor)
    day = timezone.now()
    english = client.get(problem.get_absolute_url()).content.decode()
    assert f"{day.day} {day:%b} {day.year}, " in english
    chinese = client.get(problem.get_absolute_url(), headers=CHINESE).content.decode()
    assert f"{day.year}年{day.month}月{day.day}日" in chinese


def test_what_is_kept_for_everybody_is_said_in_the_language_of_who_reads_it(
    draft, contributor, reviewer
):
    with translation.override("zh-hans"):
        submit_review(
            review_round=submit(draft, contributor),
            reviewer=reviewer,
            recommendation="ACCEPT",
            comment="",
        )
    events = Problem.objects.get().events
    assert not events.exclude(note="").exists()
    *_before, submitted, accepted = [one.message for one in events.all()]
    assert "variants of the answer" in translate(submitted)
    assert translate(accepted) == "Review: 1 accept"
    with translation.override("zh-hans"):
        assert recorded(accepted) == "评审：1人通过"


def test_the_choice_is_offered_on_every_page_and_works_without_a_script(client):
    page = client.get(reverse("board")).content.decode()
    form = re.search(r'<form class="language-choice".*?</form>', page, re.S)[0]
    assert 'method="post"' in form
    assert "csrfmiddlewaretoken" in form
    assert "简体中文" in form
    assert '<button class="link-button" type="submit">' in form
