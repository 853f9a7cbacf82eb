"""Pages of versions: for everybody what is published, for admins the next one."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.versions.exchange.models import Download
from curation.versions.models import BenchmarkVersion, ItemWithdrawal, VersionItem
from phybench.people.models import User
from tests.conftest import accept, make_draft
from tests.versions import publish_version
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_admin(client: Client, admin: User) -> Client:
    client.force_login(admin)
    return client


@pytest.fixture
def problem(accepted_problem: Problem) -> Problem:
    return accepted_problem


def address(asked: str = "", number: int = 1) -> str:
    return reverse("curation:version", args=["test", number]) + asked


def test_admin_makes_reads_and_publishes_a_version(as_admin, problem, benchmark):
    page = as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new", follow=True)
    assert page.redirect_chain[-1][0] == address("?do=edit")
    assert "all of its problems are new" in page.text

    page = as_admin.post(address("?do=edit"), {"changes": "The *first*."}, follow=True)
    assert "Saved." in page.text

    page = as_admin.get(address("publish/"))
    assert "<em>first</em>" in page.text

    job = as_admin.post(address("publish/"))["Location"]
    carry_out_jobs()
    page = as_admin.get(job, follow=True)
    assert page.redirect_chain[-1][0] == address()
    assert BenchmarkVersion.objects.get().is_published
    assert BenchmarkVersion.objects.get().sha256 in page.text


def test_visitor_finds_no_draft(client, as_admin, problem):
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    client.logout()

    assert "draft" not in client.get(reverse("curation:versions", args=["test"])).text
    assert client.get(address()).status_code == 404
    assert client.get(address("?as=csv")).status_code == 404


def test_published_version_says_how_to_cite_it(client, problem, benchmark):
    version = publish_version(benchmark)

    page = client.get(version.get_absolute_url())

    assert "@misc{test-v1," in page.text
    assert f"SHA-256 {version.sha256}" in page.text


def test_version_that_was_superseded_says_so(client, problem, benchmark, contributor, reviewer):
    first = publish_version(benchmark)
    accept(make_draft(contributor, benchmark, answer="2 m g h"), contributor, reviewer)
    second = publish_version(benchmark)

    assert "has replaced it" in client.get(first.get_absolute_url()).text
    assert "has replaced it" not in client.get(second.get_absolute_url()).text


def test_download_is_written_down(client, evaluator, problem, benchmark):
    publish_version(benchmark)
    client.force_login(evaluator)

    rows = client.get(address("?as=jsonl")).getvalue().decode().splitlines()

    assert [json.loads(row)["id"] for row in rows] == [problem.identifier]
    assert Download.objects.get().person == evaluator
    assert [one.part for one in Exposure.objects.filter(person=evaluator)] == ["STATEMENT"]


def tick(items, *, hidden=(), out=(), changes=""):
    """Return what the page of a draft sends that lists some items."""
    return {
        "changes": changes,
        "shown": [one.pk for one in items],
        "was_hidden": [one.pk for one in items if one.is_hidden],
        "kept": [one.pk for one in items if one not in out],
        "hidden": [one.pk for one in hidden],
    }


def test_a_problem_is_left_out_and_hidden_by_ticks_and_those_of_other_pages_stay(
    as_admin, problem, benchmark, contributor, reviewer, settings
):
    settings.LEAST_HIDDEN_ITEMS = 1
    for _more in range(3):
        accept(make_draft(contributor, benchmark, answer="2 m g h"), contributor, reviewer)
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    first, second, third, elsewhere = VersionItem.objects.order_by("pk")
    VersionItem.objects.filter(pk=elsewhere.pk).update(is_hidden=True)
    assert problem.title in as_admin.get(address("?do=edit")).text

    page = as_admin.post(
        address("?do=edit"), tick([first, second, third], hidden=[first], out=[third]), follow=True
    )

    assert "1 accepted problem is left out." in page.text
    left = VersionItem.objects.order_by("pk").values_list("pk", "is_hidden")
    assert list(left) == [(first.pk, True), (second.pk, False), (elsewhere.pk, True)]
    as_admin.post(address("?do=refresh"))
    assert VersionItem.objects.count() == 4


def test_ticks_of_before_another_drew_the_hidden_part_change_nothing(as_admin, problem, settings):
    settings.LEAST_HIDDEN_ITEMS = 1
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    sent = tick(list(VersionItem.objects.all()), changes="Only a word.")
    VersionItem.objects.update(is_hidden=True)

    page = as_admin.post(address("?do=edit"), sent)

    assert page.status_code == 400
    assert "What is hidden was changed meanwhile" in page.text
    assert "Only a word." in page.text
    assert VersionItem.objects.get().is_hidden


def test_ticks_are_saved_on_the_way_to_publishing(
    as_admin, problem, benchmark, contributor, reviewer
):
    accept(make_draft(contributor, benchmark, answer="2 m g h"), contributor, reviewer)
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    first, second = VersionItem.objects.order_by("pk")

    sent = {**tick([first, second], out=[second]), "publish": ""}
    page = as_admin.post(address("?do=edit"), sent, follow=True)

    assert page.redirect_chain[-1][0] == address("publish/")
    assert VersionItem.objects.get() == first


def test_what_another_took_out_meanwhile_is_refused_and_the_text_stays(as_admin, problem):
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    item = VersionItem.objects.get()
    sent = tick([item], hidden=[item], changes="Kept.")
    item.delete()

    page = as_admin.post(address("?do=edit"), sent)

    assert page.status_code == 400
    assert "Kept." in page.text


def test_a_hidden_part_that_is_too_small_is_said_and_can_not_be_published(
    as_admin, problem, benchmark, contributor, reviewer
):
    accept(make_draft(contributor, benchmark, answer="2 m g h"), contributor, reviewer)
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    items = list(VersionItem.objects.all())

    page = as_admin.post(address("?do=edit"), tick(items, hidden=items[:1]), follow=True)
    drawn = as_admin.post(address("?do=draw"), {"percent": 50})

    assert "A hidden part needs at least" in page.text
    assert drawn.status_code == 400
    assert "A hidden part needs at least" in drawn.text
    assert "Publish permanently" not in as_admin.get(address("publish/")).text


def test_a_draw_is_offered_only_where_it_can_be_had_and_the_condition_is_said(
    as_admin, problem, settings
):
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    few = as_admin.get(address("?do=edit")).text
    assert "at random" not in few
    assert 'name="hidden"' not in few
    assert "a hidden part needs at least 400 that were never public and never answered" in few

    settings.LEAST_HIDDEN_ITEMS = 1
    enough = as_admin.get(address("?do=edit")).text
    assert "Select hidden problems at random" in enough
    assert "A hidden part needs at least 1 problems." in enough


def test_what_cannot_be_published_says_so_instead_of_the_button(as_admin, problem):
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    assert "Publish permanently" in as_admin.get(address("publish/")).text
    VersionItem.objects.update(is_hidden=True)

    page = as_admin.get(address("publish/")).text

    assert "At least one problem has to be public." in page
    assert "Publish permanently" not in page


def test_drawn_problems_are_hidden_and_ticked(
    as_admin, problem, benchmark, contributor, reviewer, settings
):
    settings.LEAST_HIDDEN_ITEMS = 1
    accept(make_draft(contributor, benchmark, answer="2 m g h"), contributor, reviewer)
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")

    page = as_admin.post(address("?do=draw"), {"percent": 50}, follow=True)

    hidden = VersionItem.objects.hidden().get()
    assert f"{hidden.identifier} is hidden" in page.text
    assert page.text.count("checked>") == 3
    assert as_admin.post(address("?do=draw"), {"percent": 100}).status_code == 400


def test_thrown_away_draft_leaves_its_number_free(as_admin, problem):
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")

    as_admin.post(address("?do=discard"))
    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")

    assert BenchmarkVersion.objects.get().number == 1


def test_withdrawn_item_is_named_with_its_reason(as_admin, problem, benchmark):
    version = publish_version(benchmark)
    item = version.items.get()

    assert (
        as_admin.post(address(f"?do=withdraw&item={item.pk}"), {"reason": " "}).status_code == 400
    )
    page = as_admin.post(
        address(f"?do=withdraw&item={item.pk}"), {"reason": "It has <two> answers."}, follow=True
    )

    assert "It has &lt;two&gt; answers." in page.text
    assert ItemWithdrawal.objects.get().item == item


@pytest.mark.parametrize("name", ["version", "versions"])
def test_pages_ask_as_much_of_three_problems_as_of_one(
    client, django_assert_max_num_queries, problem, benchmark, contributor, reviewer, name
):
    def count() -> int:
        newest = BenchmarkVersion.objects.current().get().number
        arguments = ["test", newest] if name == "version" else ["test"]
        with django_assert_max_num_queries(99) as queries:
            client.get(reverse(f"curation:{name}", args=arguments))
        return len(queries)

    publish_version(benchmark)
    one = count()
    for answer in ("2 m g h", "3 m g h"):
        accept(make_draft(contributor, benchmark, answer=answer), contributor, reviewer)
    publish_version(benchmark)

    assert count() == one


def test_draft_asks_as_much_of_three_problems_as_of_one(
    as_admin, django_assert_max_num_queries, problem, benchmark, contributor, reviewer
):
    def count() -> int:
        with django_assert_max_num_queries(99) as queries:
            as_admin.get(address("?do=edit"))
        return len(queries)

    as_admin.post(reverse("curation:versions", args=["test"]) + "?do=new")
    one = count()
    for answer in ("2 m g h", "3 m g h"):
        accept(make_draft(contributor, benchmark, answer=answer), contributor, reviewer)
    as_admin.post(address("?do=refresh"))

    assert Benchmark.objects.get().versions.get().items.count() == 3
    assert count() == one
