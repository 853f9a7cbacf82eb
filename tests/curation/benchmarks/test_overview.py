"""The overview: six steps with one of them now, what waits, how far it is; and old roads."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark, DomainGoal
from curation.reviewing.pipelines.models import ReviewSettings
from curation.versions.benchmarks.progress import measure
from grading.answers.submissions.models import Submission
from phybench.people.models import Role
from tests.conftest import accept, make_draft, make_person, submit
from tests.grading.conftest import HandIn, hand_in, problems

__all__ = ["hand_in", "problems"]
pytestmark = pytest.mark.django_db


def address(benchmark: Benchmark) -> str:
    return reverse("curation:overview", args=[benchmark.slug])


def show(client: Client, benchmark: Benchmark) -> dict[str, object]:
    context = client.get(address(benchmark)).context
    return {name: context[name] for name in ("now", "steps", "week")}


def test_one_step_is_now_until_a_model_is_on_the_board(
    client, admin, benchmark, contributor, reviewer
):
    client.force_login(admin)
    chosen = ReviewSettings.objects.get().pipeline
    ReviewSettings.objects.all().delete()
    # Two others have roles, so nobody has to be invited.
    assert show(client, benchmark)["now"].number == 3
    ReviewSettings.objects.create(benchmark=benchmark, pipeline=chosen)
    now = show(client, benchmark)["now"]
    assert (now.number, now.url) == (4, reverse("curation:new", args=["test"]))
    accept(make_draft(contributor, benchmark), contributor, reviewer)
    now = show(client, benchmark)["now"]
    assert (now.number, now.url) == (5, reverse("curation:versions", args=[benchmark.slug]))
    assert "1 accepted problem" in now.state()


def test_the_whole_list_goes_once_a_model_is_on_the_board(client, admin, problems, hand_in: HandIn):
    client.force_login(admin)
    benchmark = problems[0].benchmark
    hand_in((problems[0], "m g h"))
    assert show(client, benchmark)["now"] is not None
    Submission.objects.update(published_at=timezone.now(), published_by=admin)
    assert show(client, benchmark)["now"] is None
    assert "next-step" not in client.get(reverse("curation:problems", args=["test"])).text


def test_admins_read_beside_the_steps_whether_the_members_can_review(
    client, admin, contributor, benchmark
):
    client.force_login(admin)
    [line] = client.get(address(benchmark)).context["staffing"]
    assert "Needs" in line.text
    assert line.is_late
    assert line.text in client.get(address(benchmark)).text
    client.force_login(contributor)
    assert "Staffing" not in client.get(address(benchmark)).text


def test_steps_that_can_wait_are_put_off_and_no_others(client, admin, benchmark):
    client.force_login(admin)
    ReviewSettings.objects.all().delete()
    assert show(client, benchmark)["now"].number == 2
    for step, now in (("2", 3), ("4", 3), ("six", 3), ("3", 4)):
        client.post(address(benchmark), {"step": step})
        assert show(client, benchmark)["now"].number == now


def test_who_is_no_admin_sees_no_steps_and_puts_none_off(client, contributor, benchmark):
    client.force_login(contributor)
    assert show(client, benchmark)["steps"] == []
    assert client.post(address(benchmark), {"step": "2"}).status_code == 403
    assert Benchmark.objects.get().put_off == []


def test_a_draft_that_says_no_domain_yet_is_counted_and_breaks_nobodys_overview(
    client, admin, contributor, benchmark
):
    """Who types a sentence has one, as it is saved while they type."""
    make_draft(contributor, benchmark, domain="")
    for person in (admin, contributor):
        client.force_login(person)
        assert client.get(f"/b/{benchmark.slug}/overview/").status_code == 200
        assert client.get("/home/", follow=True).status_code == 200
    assert measure([benchmark])[benchmark.pk].total.being_written == 1


def test_other_rooms_say_the_next_step_to_an_admin_alone(client, admin, contributor, benchmark):
    for person, is_told in ((admin, True), (contributor, False)):
        client.force_login(person)
        page = client.get(reverse("board_of", args=["test"])).text
        assert ("next-step" in page) == is_told
    # In the room that it leads to, a button of the page does it.
    client.force_login(admin)
    assert "next-step" not in client.get(reverse("curation:problems", args=["test"])).text


def test_a_goal_is_counted_down(client, admin, benchmark, contributor, reviewer):
    accept(make_draft(contributor, benchmark), contributor, reviewer)
    submit(make_draft(contributor, benchmark), contributor)
    make_draft(contributor, benchmark)
    benchmark.goal, benchmark.deadline = 4, timezone.now().date() + timedelta(days=2)
    benchmark.put_off = [2, 3]
    benchmark.save()
    DomainGoal.objects.create(benchmark=benchmark, domain="OPTICS", goal=2)
    client.force_login(admin)
    page = client.get(address(benchmark)).text
    assert "Next: get problems. 3 more until your goal." in page
    assert "1 of 4 accepted, 1 in review, 1 being written" in page
    assert "0 of 2" in page
    assert "2 days left" in page
    benchmark.deadline = date(2020, 1, 2)
    benchmark.save()
    assert "over" in client.get(address(benchmark)).text


def test_last_week_tells_of_no_problem_that_the_reader_may_not_read(
    client, admin, benchmark, contributor, reviewer
):
    accept(make_draft(contributor, benchmark, title="Old hat"), contributor, reviewer)
    submit(make_draft(contributor, benchmark, title="Nobody knows"), contributor)
    other = make_person(Role.CONTRIBUTOR, "other")
    for person, hidden in ((admin, False), (contributor, False), (other, True)):
        client.force_login(person)
        said = " ".join(text for text, _at in show(client, benchmark)["week"])
        assert said.count("Old hat") == 1, "accepted, and not submitted before as well"
        assert ("Nobody knows" not in said) == hidden


def test_home_leads_to_the_benchmark_that_was_last_looked_at(client, admin, benchmark):
    other = Benchmark.objects.create(name="Other", slug="other")
    client.force_login(admin)
    home = reverse("home")
    assert client.get(home).url == address(benchmark)
    client.get(address(other))
    assert client.get(home).url == address(other)
    client.cookies["benchmark"] = "none-of-them"
    assert client.get(home).url == address(benchmark)


def test_what_a_visitor_is_shown_is_of_no_choice_that_somebody_made(client, benchmark):
    Benchmark.objects.create(name="Other", slug="other")
    client.cookies["benchmark"] = "other"
    page = client.get(reverse("how_grading_works")).text
    assert f"<summary>{benchmark}</summary>" in page


def test_without_a_benchmark_home_is_the_inbox(client, admin):
    client.force_login(admin)
    assert client.get(reverse("home")).url == reverse("inbox")


def test_addresses_of_boards_that_papers_cite_lead_on(client, benchmark):
    for rest in ("test/", "test.csv", "test/domains/?version=1"):
        assert client.get(f"/boards/{rest}").url == f"/b/{rest}"
    # Whatever is asked, it stays on this site.
    assert client.get("/boards//evil.example/").url == "/b//evil.example/"


def test_the_header_names_the_benchmark_and_lists_others_where_there_are_some(
    client, admin, benchmark
):
    client.force_login(admin)
    page = client.get(address(benchmark)).text
    assert f'<span class="where">{benchmark}</span>' in page
    other = Benchmark.objects.create(name="Other", slug="other")
    page = client.get(address(benchmark)).text
    assert f'href="{address(other)}"' in page


def test_a_page_of_a_round_names_its_benchmark_whatever_was_chosen_last(
    client, contributor, reviewer, benchmark
):
    other = Benchmark.objects.create(name="Other", slug="other")
    review_round = submit(make_draft(contributor, benchmark), contributor)
    client.force_login(reviewer)
    client.cookies["benchmark"] = other.slug
    page = client.get(reverse("curation:review", args=[review_round.pk])).text
    assert f"<summary>{benchmark.name}</summary>" in page
    assert f"<summary>{other.name}</summary>" not in page
