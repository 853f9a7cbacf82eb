"""Taking problems out: what each may have, that it comes back whole, that it is written down."""

import csv
import io
import json

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.exchange.models import Import
from curation.exchange.plans import plan
from curation.exchange.rows import PROBLEMS, parse
from curation.exchange.terms import ImportTerms
from curation.problems.models import Problem, Revision
from curation.texts.schema import EXPORTED, FIELDS, KEY_FIELDS
from curation.versions.exchange import exports
from curation.versions.exchange.exports import choose, describe, write
from curation.versions.exchange.models import Download
from phybench.files.problem_files import read
from phybench.people.models import Role
from tests.conftest import make_draft, make_person
from tests.curation.exchange.test_plans import NEW, drafts_of
from tests.curation.exchange.test_plans import write as bring_in

pytestmark = pytest.mark.django_db
FORMATS = ["JSON", "JSONL", "CSV"]
NASTY = {
    **NEW,
    "id": "nasty",
    "title": "=1+1",
    "statement": '- A ball of mass $m$, "heavy",\nat the height $h$; 球\t=x',
    "answer": "-m g h",
    "must_accept": ["-g h m", "=m g h"],
    "must_reject": ["'-m h"],
    "solution": "@home\n\n+1",
}


@pytest.fixture
def filled(contributor, benchmark, accepted_problem) -> None:
    bring_in(drafts_of(contributor, benchmark), NEW, NASTY)


def export(person, file_format: str, fields=EXPORTED) -> str:
    chosen = choose(Problem.objects.order_by("pk"), person)
    return "".join(write(file_format, list(fields), describe(chosen, fields)))


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("who", ["contributor", "other", "admin"])
def test_what_is_exported_has_nothing_to_do_when_it_is_imported_again(
    filled, contributor, admin, benchmark, file_format, who
):
    other = make_person(Role.CONTRIBUTOR, "other")
    person = {"contributor": contributor, "other": other, "admin": admin}[who]
    rows = parse(read(export(person, file_format).encode(), PROBLEMS).rows)
    assert len(rows) == (1 if who == "other" else 3)
    terms = drafts_of(person, benchmark)
    assert [planned.action for planned in plan(rows, terms)] == ["NOTHING"] * len(rows)


@pytest.mark.parametrize("file_format", FORMATS)
def test_published_problems_come_back_too(admin, benchmark, file_format):
    terms = ImportTerms(Import.Purpose.PUBLISHED, benchmark, admin)
    bring_in(terms, NEW, NASTY)
    rows = parse(read(export(admin, file_format).encode(), PROBLEMS).rows)
    assert [planned.action for planned in plan(rows, terms)] == ["NOTHING", "NOTHING"]


@pytest.mark.parametrize("file_format", FORMATS)
def test_texts_survive_whatever_they_begin_with(contributor, benchmark, file_format):
    bring_in(drafts_of(contributor, benchmark), NASTY)
    [row] = parse(read(export(contributor, file_format).encode(), PROBLEMS).rows)
    told = {name: row.values[name] for name in NASTY if name not in {"id", "symbols"}}
    assert told == {name: NASTY[name] for name in told}


def test_no_cell_of_the_csv_is_a_formula(contributor, benchmark):
    bring_in(drafts_of(contributor, benchmark), NASTY)
    text = export(contributor, "CSV").removeprefix("\ufeff")
    cells = [cell for line in csv.reader(io.StringIO(text, newline="")) for cell in line]
    assert not [cell for cell in cells if cell[:1] in {"=", "+", "-", "@", "\t", "\r"}]


def test_an_empty_list_is_a_list():
    assert read_back("JSON", []) == []
    assert "".join(write("JSONL", ["id"], [])) == ""
    assert "".join(write("CSV", ["id"], [])) == "\ufeffid\r\n"


def read_back(file_format: str, rows: list) -> list:
    found: list = json.loads("".join(write(file_format, ["id"], rows)))
    return found


def test_others_get_the_accepted_text_without_its_key(contributor, reviewer, accepted_problem):
    accepted_problem.refresh_from_db()
    for person in (reviewer, make_person(None)):
        [row] = json.loads(export(person, "JSON"))
        assert not KEY_FIELDS & row.keys()
        assert row["statement"]
        # Nothing was said of its symbols, so only the answer mentions them.
        assert row["symbols"] == []
    [own] = json.loads(export(contributor, "JSON"))
    assert (own["answer"], bool(own["symbols"])) == ("m g h", True)


def test_a_reviewer_takes_no_key_out_though_the_review_shows_it(
    contributor, reviewer, benchmark, draft
):
    actions.submit(problem=draft, author=contributor, different_from=range(10**6))
    [row] = json.loads(export(reviewer, "JSON"))
    assert "answer" not in row


def test_a_draft_is_nobody_elses(draft, reviewer, contributor, admin):
    assert json.loads(export(reviewer, "JSON")) == []
    assert len(json.loads(export(admin, "JSON"))) == 1


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_the_rows(
    contributor, benchmark, count, django_assert_num_queries
):
    for number in range(count):
        make_draft(contributor, benchmark, title=f"Problem {number}")
    with django_assert_num_queries(5):
        export(contributor, "JSON")


def test_a_long_list_is_fetched_a_few_at_a_time(filled, contributor, monkeypatch):
    whole = export(contributor, "JSONL")
    monkeypatch.setattr(exports, "AT_ONCE", 2)
    assert export(contributor, "JSONL") == whole
    assert len(whole.splitlines()) == 3


# --- The page -------------------------------------------------------------------------------


def post(client, query: str = "?show=accepted", **fields):
    data = {"format": "JSON", "columns": ["title", "statement"], **fields}
    return client.post(reverse("curation:export", args=["test"]) + query, data)


def test_a_download_is_written_down_before_it_begins(client, contributor, accepted_problem):
    client.force_login(contributor)
    answer = post(client, keys=["answer"], columns=["title"])
    [written] = Download.objects.all()
    assert json.loads(b"".join(answer)) == [
        {"id": accepted_problem.identifier, "title": "A falling ball", "answer": "m g h"}
    ]
    revision = Revision.objects.get(problem=accepted_problem)
    assert (written.person, written.format, written.fields, written.has_keys) == (
        contributor,
        "JSON",
        ["id", "title", "answer"],
        True,
    )
    assert written.revisions == written.revisions_with_keys == [revision.pk]
    assert written.asked == "show=accepted"
    with pytest.raises(DatabaseError), transaction.atomic():
        Download.objects.update(has_keys=False)


def test_who_may_not_have_the_key_is_not_offered_it_and_does_not_get_it(
    client, participant, accepted_problem
):
    client.force_login(participant)
    page = client.get(reverse("curation:export", args=["test"])).content.decode()
    assert 'name="keys"' not in page
    assert "m g h" not in b"".join(post(client, keys=["answer"], columns=["title"])).decode()
    answer = post(client, columns=["answer"])
    assert answer.status_code == 400
    assert not Download.objects.filter(has_keys=True).exists()


def test_the_filters_of_the_list_hold(client, contributor, accepted_problem, benchmark):
    make_draft(contributor, benchmark, domain="OPTICS", title="A lens")
    client.force_login(contributor)
    rows = json.loads(b"".join(post(client, "?show=mine&domain=OPTICS")))
    assert [row["title"] for row in rows] == ["A lens"]
    page = client.get(reverse("curation:export", args=["test"]) + "?show=mine&domain=MODERN")
    assert "This list has no problems" in page.content.decode()


@pytest.mark.parametrize(
    ("file_format", "ending", "kind"),
    [
        ("JSON", "json", "application/json"),
        ("JSONL", "jsonl", "application/jsonl; charset=utf-8"),
        ("CSV", "csv", "text/csv; charset=utf-8"),
    ],
)
def test_a_download_has_a_name_and_a_type(
    client, admin, accepted_problem, file_format, ending, kind
):
    client.force_login(admin)
    answer = post(client, format=file_format)
    assert answer["Content-Disposition"].endswith(f'.{ending}"')
    assert answer["Content-Type"] == kind


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_downloads_is_for_admins_and_counts_what_left(
    client, admin, contributor, accepted_problem, django_assert_num_queries, count
):
    client.force_login(contributor)
    for _ in range(count):
        b"".join(post(client, keys=["answer"]))
    post(client)
    client.force_login(admin)
    with django_assert_num_queries(13):
        page = client.get(reverse("curation:records") + "?of=downloads").content.decode()
    assert page.count("JSON list") == count + 1
    table = client.get(
        reverse("curation:records") + "?of=downloads&as=csv&show=keys"
    ).content.decode()
    assert len(table.splitlines()) == count + 1
    assert "Contributor,JSON,id title statement answer,yes" in table


def test_names_of_fields_are_code_and_what_is_in_them_is_said_beside(
    client, contributor, accepted_problem
):
    client.force_login(contributor)
    for language, words in [("en", "answers that must be accepted"), ("zh-hans", "必须判对的答案")]:
        client.cookies["django_language"] = language
        page = client.get(reverse("curation:export", args=["test"])).content.decode()
        assert f"<code>must_accept</code> {words}" in page


def test_every_field_of_an_import_is_exported():
    assert {*FIELDS} <= {*EXPORTED}
