"""The table of contributors, one's own contributions, and both as files."""

import csv
import io

import pytest
from django.urls import reverse

from curation.problems.people.models import Contribution, ContributionKind
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.reviewing.rounds.lifecycle import submit_review
from phybench.people.models import Role
from tests.conftest import accept, make_benchmark, make_draft, make_person, name_person, submit

pytestmark = pytest.mark.django_db

TABLE = "/b/test/contributors/"
OWN = "/me/contributions/"
HTMX = {"HX-Request": "true", "HX-Target": "rows"}


def read(page) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(page.content.decode())))


@pytest.fixture
def nameless(reviewer):
    """A reviewer who wants to be counted without a name."""
    reviewer.is_named = False
    reviewer.save()
    return reviewer


def shown(page) -> list[str]:
    return [one.name for one in page.context["page"]]


def test_the_table_is_sorted_as_asked_and_by_points_at_first(
    client, contributor, reviewer, benchmark
):
    for number in range(4):
        accept(make_draft(contributor, benchmark, title=f"No. {number}"), contributor, reviewer)
    client.force_login(make_person(None))
    assert shown(client.get(TABLE)) == ["Contributor", "Reviewer"]
    for sort, first in (
        ("points", "Reviewer"),
        ("name", "Contributor"),
        ("-name", "Reviewer"),
        ("-reviewed", "Reviewer"),
        ("-authored", "Contributor"),
        ("nonsense", "Contributor"),
    ):
        assert shown(client.get(TABLE, {"sort": sort}))[0] == first
    page = client.get(TABLE, {"sort": "points"})
    assert [one.rank for one in page.context["page"]] == [2, 1]


def test_who_wants_no_name_is_counted_and_not_named(
    client, accepted_problem, nameless, participant
):
    client.force_login(participant)
    page = client.get(TABLE).content.decode()
    assert "anonymous" in page
    assert str(nameless) not in page.replace("Reviewed", "")
    rows = read(client.get(reverse("curation:contributors", args=["test"]) + "?as=csv"))
    assert [(row["name"], row["reviewed"], row["points"]) for row in rows] == [
        ("Contributor", "0", "10"),
        ("anonymous", "1", "3"),
    ]
    thanked = read(
        client.get(reverse("curation:contributors", args=["test"]) + "?as=acknowledgements")
    )
    assert thanked == [
        {"name": "Contributor", "contributed": "authored"},
        {"name": "one person without a name", "contributed": "reviewed"},
    ]


def test_acknowledgements_are_by_name_whatever_its_case(client, benchmark, reviewer):
    for name in ("zoe", "anna", "Émile"):
        author = make_person(Role.CONTRIBUTOR, name)
        author.display_name = name
        author.save()
        accept(make_draft(author, benchmark), author, reviewer)
    client.force_login(reviewer)
    rows = read(
        client.get(reverse("curation:contributors", args=["test"]) + "?as=acknowledgements")
    )
    assert [row["name"] for row in rows] == ["anna", "Reviewer", "zoe", "Émile"]


def test_no_address_and_no_formula_gets_into_a_file(
    client, accepted_problem, contributor, reviewer
):
    contributor.display_name = "=1+1"
    contributor.save()
    client.force_login(contributor)
    for asked in ("", "?as=csv", "?as=acknowledgements"):
        page = client.get(TABLE + asked).content.decode()
        assert "@" not in page
        assert (",=1+1" in page or "\n=1+1" in page) is False
    assert "'=1+1" in page


def test_each_benchmark_has_its_own_table(client, accepted_problem, participant):
    client.force_login(participant)
    assert client.get(TABLE.replace("test", "no-such")).status_code == 404
    other = make_person(Role.CONTRIBUTOR, "other")
    second = make_benchmark("second", pipeline=find_pipeline(accepted_problem.benchmark))
    accept(make_draft(other, second), other, make_person(Role.REVIEWER, "second-reviewer"))
    assert shown(client.get(TABLE.replace("test", "second"))) == [
        "Other",
        "Second-reviewer",
    ]
    assert shown(client.get(TABLE)) == ["Contributor", "Reviewer"]


def test_an_empty_table_says_what_will_be_here(client, benchmark):
    client.force_login(make_person(None))
    page = client.get(TABLE).content.decode()
    assert "There are no contributions to Test yet" in page
    assert (
        read(client.get(reverse("curation:contributors", args=["test"]) + "?as=acknowledgements"))
        == []
    )


def fill(contributor, reviewer, benchmark, number: int) -> None:
    """Make one more problem with one more co-author, who has it accepted."""
    draft = make_draft(contributor, benchmark, title=f"No. {number}")
    person = make_person(Role.CONTRIBUTOR, f"person-{number}")
    name_person(draft, contributor, person, "CO_AUTHOR")
    accept(draft, contributor, reviewer)


@pytest.mark.parametrize(
    ("address", "headers", "queries"),
    [
        (TABLE, {}, 6),
        (f"{TABLE}?as=csv", {}, 5),
        (f"{TABLE}?as=acknowledgements", {}, 5),
        (OWN, {}, 8),
        (OWN, HTMX, 8),
        (f"{OWN}?as=csv", {}, 4),
    ],
)
def test_pages_take_as_many_queries_for_three_rows_as_for_one(
    client, contributor, reviewer, benchmark, django_assert_num_queries, address, headers, queries
):
    client.force_login(contributor)
    fill(contributor, reviewer, benchmark, 1)
    with django_assert_num_queries(queries):
        client.get(address, headers=headers)
    fill(contributor, reviewer, benchmark, 2)
    fill(contributor, reviewer, benchmark, 3)
    with django_assert_num_queries(queries):
        client.get(address, headers=headers)


# --- One's own ------------------------------------------------------------------------------


def test_one_s_own_are_counted_listed_in_pages_and_given_as_a_file(
    client, contributor, reviewer, benchmark, accepted_problem
):
    revision = accepted_problem.revisions.get()
    for number in range(27):
        Contribution.objects.create(
            person=reviewer,
            kind=ContributionKind.FOUND_ERROR,
            problem=accepted_problem,
            revision=revision,
            note=f"={number}",
        )
    client.force_login(reviewer)
    page = client.get(reverse("curation:my_contributions"))
    assert page.context["points"] == 27 * 3 + 3
    assert page.context["kinds"] == [("reviewed", 1, 3, 3), ("found an error", 27, 3, 81)]
    assert len(page.context["page"]) == 25
    second = client.get(reverse("curation:my_contributions"), {"page": 2})
    assert len(second.context["page"]) == 3
    part = client.get(reverse("curation:my_contributions"), headers=HTMX)
    assert "<html" not in part.content.decode()
    assert "The newest 5 of 28" in part.content.decode()
    rows = read(client.get(reverse("curation:my_contributions") + "?as=csv"))
    assert len(rows) == 28
    assert (rows[-1]["kind"], rows[-1]["points"], rows[-1]["note"]) == ("REVIEWED", "3", "")
    assert rows[0]["note"] == "'=26"


def test_one_s_own_list_links_only_to_what_one_may_read(client, draft, contributor, reviewer):
    accept(draft, contributor, reviewer)
    rejected = make_draft(contributor, draft.benchmark, title="Rejected")
    submit_review(
        review_round=submit(rejected, contributor),
        reviewer=reviewer,
        recommendation="REJECT",
        comment="No.",
    )
    reviewer.roles = []
    reviewer.save()
    client.force_login(reviewer)
    page = client.get(reverse("curation:my_contributions")).content.decode()
    assert "Rejected" in page
    assert draft.get_absolute_url() in page
    assert rejected.get_absolute_url() not in page


def test_nobody_sees_the_list_of_another(client, accepted_problem, participant):
    client.force_login(participant)
    page = client.get(reverse("curation:my_contributions"))
    assert list(page.context["page"]) == []
    assert "You have no contributions yet" in page.content.decode()
    assert read(client.get(reverse("curation:my_contributions") + "?as=csv")) == []
