"""The pages of an import, from the file to what came of it."""

import csv
import io
import json
from collections import Counter

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from curation.exchange import imports
from curation.exchange.models import Import
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from phybench.people.models import Role
from phybench.work.budgets import name_person, spend
from tests.conftest import make_person
from tests.curation.exchange.test_imports import begin, look_at
from tests.curation.exchange.test_plans import NEW
from tests.shared import find_published
from tests.work import run_import

pytestmark = pytest.mark.django_db


def upload(client, benchmark, content, purpose="DRAFTS", **fields):
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    file = SimpleUploadedFile("mine.json", content)
    data = {"purpose": purpose, "domain": "OTHER", "file": file, **fields}
    return client.post(reverse("curation:imports", args=[benchmark.slug]), data)


def test_a_file_is_handed_in_read_and_carried_out(
    client, contributor, benchmark, django_capture_on_commit_callbacks
):
    client.force_login(contributor)
    with django_capture_on_commit_callbacks() as queued:
        answer = upload(
            client, benchmark, [NEW, {**NEW, "id": "b", "answer": "0.5 m g h"}, {"id": "c"}]
        )
    transfer = Import.objects.get()
    assert (answer["Location"], len(queued)) == (transfer.get_absolute_url(), 1)
    page = client.get(transfer.get_absolute_url()).content.decode()
    assert "0 of 3 rows checked" in page
    assert "hx-trigger" in page
    run_import(transfer.pk)
    page = client.get(transfer.get_absolute_url()).content.decode()
    assert (
        "3 problems found. 1 is ready, 1 becomes a draft with something to fix, "
        "1 can’t be imported." in page
    )
    # What there is to do something about stands first.
    assert page.index(">b<") < page.index(">fall-1<")
    assert "Write numbers exactly" in page
    assert 'hx-trigger="load delay' not in page
    assert not Problem.objects.exists()
    with django_capture_on_commit_callbacks() as queued:
        for _ in range(2):
            client.post(reverse("curation:import", args=["test", transfer.pk]) + "?do=carry_out")
    assert len(queued) == 1
    assert "0 of 2 rows carried out" in client.get(transfer.get_absolute_url()).content.decode()
    run_import(transfer.pk)
    page = client.get(transfer.get_absolute_url()).content.decode()
    assert "2 problems are imported. One became a draft with something to fix." in page
    assert "Already here: 0. Not imported: 1." in page
    faulty = Problem.objects.get(revisions__answer="0.5 m g h")
    assert page.count(">Fix it<") == 1
    assert reverse("curation:edit", args=[faulty.pk]) in page
    only = client.get(transfer.get_absolute_url() + "?show=TO_FIX").content.decode()
    assert ">fall-1<" not in only


def test_htmx_gets_the_part_that_changes(client, contributor, benchmark):
    client.force_login(contributor)
    transfer = look_at(begin(contributor, benchmark))
    answer = client.get(transfer.get_absolute_url(), headers={"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<div id="state"')
    assert "HX-Request" in answer["Vary"]


def test_a_contributor_imports_the_published_file_as_the_page_offers_it(
    client, contributor, benchmark
):
    client.force_login(contributor)
    content = find_published("with-answers-50.json").read_bytes()
    offered = client.get(reverse("curation:imports", args=["test"])).context["form"]
    fields = {field.name: field.value() for field in offered if field.name != "file"}
    upload(client, benchmark, content, **{**fields, "difficulty": "OLYMPIAD"})
    transfer = look_at(Import.objects.get())
    page = client.get(transfer.get_absolute_url()).content.decode()
    assert "50 problems found." in page
    assert "Import 50 problems" in page
    assert "not in the file, so filled in: difficulty “olympiad”" in page
    # Also to who comes back to the page, or loads it again.
    assert 'action="?do=carry_out"' in page
    assert 'action="?do=discard"' in page
    client.post(reverse("curation:import", args=["test", transfer.pk]) + "?do=carry_out")
    run_import(transfer.pk)
    tags = Counter(row["tag"] for row in json.loads(content))
    assert Counter(Problem.objects.values_list("domain", flat=True)) == tags
    made = Problem.objects.values_list("status", "difficulty", "language")
    assert set(made) == {("DRAFT", "OLYMPIAD", "en")}
    again = upload(client, benchmark, content, **fields)
    page = client.get(look_at(Import.objects.latest("pk")).get_absolute_url()).content.decode()
    assert again.status_code == 302
    assert "Nothing to do: each is here already, the same as in the file." in page


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[{", "it was cut off. Download it again."),
        (b"PK\x03\x04", "Save it as “CSV UTF-8”"),
        (b"<html>", "the first line of a CSV names its columns"),
        (b"", "The submitted file is empty."),
    ],
)
def test_a_file_that_can_not_be_taken_is_refused_with_what_to_do(
    client, contributor, benchmark, content, sentence
):
    client.force_login(contributor)
    answer = upload(client, benchmark, content)
    assert (answer.status_code, sentence in answer.content.decode()) == (400, True)
    assert not Import.objects.exists()


def test_published_problems_are_for_admins_and_not_for_the_demo(client, contributor, admin):
    demo = Benchmark.objects.create(name="Demo", slug="demo", is_demo=True)
    client.force_login(contributor)
    assert upload(client, demo, [NEW], "PUBLISHED").status_code == 400
    client.force_login(admin)
    assert upload(client, demo, [NEW], "PUBLISHED").status_code == 400
    # An admin who writes no problems has no drafts.
    assert upload(client, demo, [NEW], "DRAFTS").status_code == 400
    admin.roles.append(Role.CONTRIBUTOR)
    admin.save()
    answer = upload(client, demo, [NEW], "PUBLISHED")
    assert "is for the demo’s problems only" in answer.content.decode()


def test_others_see_nothing_of_it_and_an_admin_only_reads(client, contributor, admin, benchmark):
    transfer = look_at(begin(contributor, benchmark))
    order = reverse("curation:import", args=["test", transfer.pk]) + "?do=carry_out"
    client.force_login(make_person(Role.CONTRIBUTOR, "other"))
    assert client.get(transfer.get_absolute_url()).status_code == 404
    assert client.post(order).status_code == 404
    client.force_login(admin)
    page = client.get(transfer.get_absolute_url())
    assert (page.status_code, order in page.content.decode()) == (200, False)
    assert client.post(order).status_code == 404


def test_a_file_is_forgotten_when_that_is_asked(client, contributor, benchmark):
    client.force_login(contributor)
    transfer = look_at(begin(contributor, benchmark))
    client.post(reverse("curation:import", args=["test", transfer.pk]) + "?do=discard")
    assert not Import.objects.exists()
    done = look_at(begin(contributor, benchmark))
    imports.order(done)
    answer = client.post(
        reverse("curation:import", args=["test", done.pk]) + "?do=discard", follow=True
    )
    assert "so it can’t be deleted" in answer.content.decode()


def test_the_rows_can_be_filtered_and_taken_as_csv(client, contributor, benchmark):
    client.force_login(contributor)
    transfer = look_at(begin(contributor, benchmark, NEW, {"id": "=b", "title": "=c"}))
    page = client.get(transfer.get_absolute_url() + "?show=REFUSE").content.decode()
    assert "A falling ball" not in page
    text = client.get(
        reverse("curation:import", args=["test", transfer.pk]) + "?as=csv"
    ).content.decode()
    header, first, second = csv.reader(io.StringIO(text))
    assert header[:6] == ["row", "line", "id", "title", "action", "changes"]
    assert first[:5] == ["1", "1", "fall-1", "A falling ball", "CREATE"]
    assert second[:5] == ["2", "1", "'=b", "'=c", "REFUSE"]
    assert second[6].startswith("difficulty: it is not given")


def test_what_a_file_says_is_shown_as_text(client, contributor, benchmark):
    client.force_login(contributor)
    row = {**NEW, "title": "<script>alert(1)</script>", "domain": "<b>x</b>", "<i>f</i>": 1}
    transfer = look_at(begin(contributor, benchmark, row))
    page = client.get(transfer.get_absolute_url()).content.decode()
    assert "<script>alert" not in page
    assert "<i>f</i>" not in page
    assert "<b>x" not in page.lower()


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_the_rows(
    client, contributor, benchmark, count, django_assert_num_queries
):
    client.force_login(contributor)
    rows = [{**NEW, "id": f"a-{number}"} for number in range(count)]
    transfer = look_at(begin(contributor, benchmark, *rows))
    for _ in range(count):
        begin(contributor, benchmark)
    with django_assert_num_queries(10):
        client.get(transfer.get_absolute_url())
    with django_assert_num_queries(6):
        client.get(reverse("curation:imports", args=["test"]))
    with django_assert_num_queries(4):
        client.get(reverse("curation:import", args=["test", transfer.pk]) + "?as=csv")


def test_what_no_row_says_is_asked_without_the_file_being_sent_again(
    client, contributor, benchmark
):
    client.force_login(contributor)
    bare = {name: NEW[name] for name in NEW if name != "difficulty"}
    upload(client, benchmark, [bare, {**bare, "id": "b", "answer": "2 m g h"}, {"id": "c"}])
    transfer = look_at(Import.objects.get())
    address = transfer.get_absolute_url()
    assert list(client.get(address).context["missing"].fields) == ["difficulty"]
    client.post(address + "?do=fill_in", {"difficulty": "KING"})
    assert not Import.objects.get().is_under_way
    client.post(address + "?do=fill_in", {"difficulty": "OLYMPIAD"})
    page = client.get(look_at(Import.objects.get()).get_absolute_url())
    assert "2 are ready" in page.context["says"]
    assert page.context["missing"] is None


def test_the_same_file_again_is_said_to_be_here_already(client, contributor, benchmark):
    client.force_login(contributor)
    rows = [NEW, {**NEW, "id": "b", "statement": f"{NEW['statement']} And then?"}]
    first, second = (look_at(begin(contributor, benchmark, *rows)) for _ in range(2))
    for one in (first, second):
        imports.order(one)
        run_import(one.pk)
    page = client.get(second.get_absolute_url()).text
    assert "in the meantime" not in page
    assert "changed after this was planned" not in page
    assert page.count("already here, the same as in the file") == 2
    assert "Already here: 2." in page
    assert Problem.objects.count() == 2

    page = client.get(look_at(begin(contributor, benchmark, *rows)).get_absolute_url()).text
    assert "2 problems found. Nothing to do: each is here already" in page


OWN_FILE = [
    {
        "id": number,
        "tag": tag,
        "content": "A block of mass $m$ hangs on a spring of stiffness $k$. Find its period $T$.",
        "solution": "It is that of a free oscillation.",
        "answer": answer,
    }
    for number, tag, answer in [
        (901, "MECHANICS", r"$$2 \pi \sqrt{\frac{m}{k}}$$"),
        (902, "ASTRONOMY", r"$$2 \pi \sqrt{\frac{m}{k}}$$"),
        (903, "MECHANICS", r"$$6.28 \sqrt{\frac{m}{k}}$$"),
        (904, "MECHANICS", ""),
    ]
]
"""In the shape of the published files, with what goes wrong in such."""


def test_a_file_in_the_shape_of_the_published_ones_becomes_drafts(client, contributor, benchmark):
    client.force_login(contributor)
    rows = [{**row, "content": f"{row['content']} ({row['id']})"} for row in OWN_FILE]
    upload(client, benchmark, rows, difficulty="UNDERGRADUATE", language="en")
    transfer = look_at(Import.objects.get())
    page = client.get(transfer.get_absolute_url()).text
    assert "4 problems found. 2 are ready, 2 become drafts with something to fix." in page
    imports.order(transfer)
    run_import(transfer.pk)
    page = client.get(transfer.get_absolute_url()).text
    assert "2 became drafts with something to fix; they are listed first." in page
    assert "Write the reference answer." in page
    assert page.count(">Fix it<") == 2
    found = dict(Problem.objects.values_list("revisions__answer", "domain"))
    assert found[""] == "MECHANICS"
    assert Problem.objects.filter(domain="OTHER").count() == 1


def test_where_a_default_is_missing_that_is_said(client, contributor, benchmark):
    client.force_login(contributor)
    upload(client, benchmark, OWN_FILE, difficulty="")
    transfer = look_at(Import.objects.get())
    page = client.get(transfer.get_absolute_url()).text
    assert "4 problems found. Nothing can be imported yet: the difficulty is missing." in page
    assert reverse("curation:import", args=["test", transfer.pk]) + "?do=carry_out" not in page


def test_the_form_is_the_page_and_what_was_imported_stands_below_it(client, contributor, benchmark):
    client.force_login(contributor)
    begin(contributor, benchmark)
    page = client.get(reverse("curation:imports", args=["test"])).text
    assert page.index('type="file"') < page.index("Past imports") < page.index("a.json")
    # One blue button, that of the form; the language is that of the page.
    assert page.count("button primary") == 1
    assert '<option value="en" selected>' in page
    chinese = client.get(
        reverse("curation:imports", args=["test"]), headers={"Accept-Language": "zh-hans"}
    ).text
    assert '<option value="zh" selected>' in chinese


def test_a_row_counts_that_says_next_to_nothing(client, contributor, benchmark, settings):
    """What is wrong with it is kept, which is more."""
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 1, 2
    client.force_login(contributor)
    assert upload(client, benchmark, [{"id": []}] * 1_000).status_code == 302
    assert upload(client, benchmark, [{"id": []}] * 1_000).status_code == 429
    assert Import.objects.count() == 1


def test_what_is_carried_out_counts_as_what_is_written(client, contributor, benchmark, settings):
    client.force_login(contributor)
    rows = [{**NEW, "id": str(n), "solution": "x" * 4_000} for n in range(100)]
    transfer = look_at(begin(contributor, benchmark, *rows))
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 1, 1
    spend(name_person(contributor.pk), size=0.5e6)
    address = reverse("curation:import", args=["test", transfer.pk]) + "?do=carry_out"
    assert client.post(address).status_code == 429
    transfer.refresh_from_db()
    assert transfer.ordered_at is None
