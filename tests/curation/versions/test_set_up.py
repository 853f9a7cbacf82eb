"""The first page of an empty install: who makes themselves its admin, and when nobody can."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.members.invitations.actions import invite
from curation.members.invitations.addresses import Entry
from curation.problems.benchmarks.models import Benchmark
from phybench.news.desks.registry import list_steps
from phybench.people.accounts import make_set_up_code, say_how_to_set_up
from phybench.people.models import Role, User

pytestmark = pytest.mark.django_db
GIVEN = {
    "benchmark": "Noether Group",
    "display_name": "Emmy",
    "email": "Emmy@Example.org",
    "password1": "invariants-1918",
    "password2": "invariants-1918",
}


@pytest.fixture(autouse=True)
def empty_install(settings):
    settings.WITH_DEMO = False


def send(client: Client, **other: str) -> int:
    return client.post("/setup/", {**GIVEN, "code": make_set_up_code(), **other}).status_code


def test_the_link_of_the_terminal_leads_to_an_admin_with_a_benchmark_who_is_signed_in(client):
    assert "/setup/" in client.get("/").content.decode()
    link = say_how_to_set_up().removeprefix("Set up: ")
    page = client.get(link[link.index("/setup/") :]).content.decode()
    [code] = re.findall(r'name="code" value="([^"]+)"', page)
    assert client.post("/setup/", {**GIVEN, "code": code}, follow=True).status_code == 200
    admin = User.objects.get()
    assert (admin.email, admin.display_name, admin.roles) == (
        "emmy@example.org",
        "Emmy",
        list(Role.values),
    )
    assert Benchmark.objects.get().slug == "noether-group"
    assert client.get("/people/").status_code == 200
    assert Client().login(username="emmy@example.org", password=GIVEN["password1"])


@pytest.mark.parametrize("code", ["", "k3fa-90bc-d7xq", "k3fa", "é" * 12, "x" * 5000])
def test_whoever_has_another_code_makes_nothing_and_keeps_what_they_typed(client, code):
    page = client.post("/setup/", {**GIVEN, "code": code})
    assert page.status_code == 400
    assert 'value="Noether Group"' in page.content.decode()
    assert not User.objects.exists()
    assert not Benchmark.objects.exists()


def test_a_code_is_taken_as_people_copy_it(client):
    code = f" {make_set_up_code().upper().replace('-', ' ')}\u200b"
    assert send(client, code=code) == 302


def test_a_name_without_a_letter_for_an_address_is_a_benchmark_too(client):
    assert send(client, benchmark="物理题") == 302
    assert Benchmark.objects.get().name == "物理题"


def test_once_there_is_an_admin_the_page_is_gone_and_no_link_is_printed(client, admin):
    assert send(client) == 404
    assert client.get("/setup/").status_code == 404
    assert say_how_to_set_up() == ""
    assert "/setup/" not in client.get("/").content.decode()


def test_where_the_demo_is_being_made_nobody_sets_up_anything(client, settings):
    settings.WITH_DEMO = True
    assert send(client) == 404
    assert say_how_to_set_up() == ""


def test_an_address_that_has_an_account_makes_no_second_one(client, contributor):
    assert send(client, email=contributor.email.upper()) == 400
    assert User.objects.get() == contributor


@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_at_once_one_is_the_admin():
    together = Barrier(2)

    def press(number: int) -> int:
        try:
            together.wait(timeout=30)
            return send(Client(), email=f"{number}@example.org", benchmark=f"Group {number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        statuses = sorted(threads.map(press, range(2)))
    assert statuses in ([302, 400], [302, 404])
    assert User.objects.count() == Benchmark.objects.count() == 1


def test_who_is_invited_counts_in_the_step_that_asks_to_invite(admin, benchmark):
    step = list_steps(benchmark.slug)[1]
    assert (step.is_done, "invited" in step.state()) == (False, False)
    entries = [Entry(1, "ivy@new.example")]
    invite(
        entries=entries, roles=["REVIEWER"], days=7, language="en", by=admin, benchmark=benchmark
    )
    step = list_steps(benchmark.slug)[1]
    assert (step.is_done, step.state()) == (True, "1 member, 0 may review, 1 invited")


def test_where_no_problem_is_accepted_the_page_of_versions_says_so_and_leads_on(
    client, admin, benchmark
):
    client.force_login(admin)
    address = reverse("curation:versions", args=[benchmark.slug])
    page = client.get(address).content.decode()
    assert "no problem of this benchmark is accepted yet" in page
    assert reverse("curation:problems", args=[benchmark.slug]) in page
    assert "Make version 1" not in page


def test_where_a_problem_is_accepted_a_version_can_be_made(
    client, admin, benchmark, accepted_problem
):
    client.force_login(admin)
    page = client.get(reverse("curation:versions", args=[benchmark.slug])).content.decode()
    assert "Make version 1" in page
    assert "is accepted yet" not in page
