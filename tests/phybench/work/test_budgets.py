"""Every minute and every hour of everybody is bounded, and what is refused is said and not lost."""

import io
import json
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from phybench.work import budgets, sandbox
from phybench.work.budgets import COMPUTED, KEPT, MB, OverBudget, charge, spend
from phybench.work.tasks import forget_expired
from tests.addresses import ADDRESSES, client_of, takes_body
from tests.budgets import pass_time
from tests.conftest import make_person
from tests.tokens import BASE, Program, make_secret

pytestmark = pytest.mark.django_db

SOMEBODY = budgets.name_person(1)


def use_up(person) -> None:
    """Leave no byte and no second of a person's budgets."""
    used = {"size": 1.5 * KEPT().at_once, "seconds": 1.5 * COMPUTED().at_once}
    spend(budgets.name_person(person.pk), **used)


def find_largest_charge() -> int:
    """Charge as much as is taken now, in steps of 50 kB."""
    taken, step = 0, MB
    while step >= MB // 20:
        try:
            charge(SOMEBODY, size=step)
            taken += step
        except OverBudget:
            step //= 2
    return taken


# --- Minutes and hours ----------------------------------------------------------------------


def test_no_minute_has_more_than_20_mb_and_no_hour_more_than_100_mb():
    every = 15
    kept = []
    # The seconds that this takes are some of the hour's.
    for _ in range(3600 // every):
        kept.append(find_largest_charge())
        pass_time(every)
    a_minute = 60 // every
    assert max(sum(kept[n : n + a_minute + 1]) for n in range(len(kept))) <= 20 * MB
    assert 80 * MB <= sum(kept) <= 100 * MB


def test_in_thirty_days_nobody_adds_more_than_is_taken_in_all(settings):
    settings.MEGABYTES_A_MONTH = 30
    assert find_largest_charge() == pytest.approx(15 * MB, abs=MB / 10)
    pass_time(15 * 24 * 3600)
    assert find_largest_charge() == pytest.approx(7.5 * MB, abs=MB / 10)


def test_what_does_not_fit_is_not_counted_and_says_when_it_fits():
    charge(SOMEBODY, size=KEPT().at_once - 10)
    with pytest.raises(OverBudget) as refused:
        charge(SOMEBODY, size=MB)
    assert refused.value.seconds == pytest.approx(MB / KEPT().a_second, abs=2)
    charge(SOMEBODY, size=5)
    pass_time(refused.value.seconds)
    charge(SOMEBODY, size=MB)


def test_one_persons_bytes_are_not_anothers():
    charge(SOMEBODY, size=KEPT().at_once)
    with pytest.raises(OverBudget):
        charge(SOMEBODY, size=MB)
    charge(budgets.name_person(2), size=KEPT().at_once)


def test_what_has_come_back_is_forgotten_and_nothing_else():
    charge(SOMEBODY, size=1)
    assert budgets.forget_idle() == 0
    pass_time(budgets.MONTH)
    assert budgets.forget_idle() == 2


def test_every_address_that_is_named_exists_and_is_one_that_may_be_charged():
    assert set(ADDRESSES) >= budgets.NAMED
    idle = {name for name in budgets.NAMED if not takes_body(ADDRESSES[name])}
    assert {one for one in idle if not budgets.find_budget(one).computes} == set()


def test_no_body_is_larger_than_what_is_left_when_nothing_was_used():
    for name in ADDRESSES:
        budget = budgets.find_budget(name)
        assert budget.weigh(budgets.find_largest(budget)) <= KEPT().at_once, name


# --- What is told ---------------------------------------------------------------------------


def test_a_page_is_refused_with_a_sentence_and_nothing_is_stored(contributor):
    client = client_of(contributor)
    use_up(contributor)
    answer = client.post(reverse("profile"), {"display_name": "Another"})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert "You sent more in a short time than the server keeps." in answer.text
    assert "go back to it in your browser" in answer.text
    contributor.refresh_from_db()
    assert contributor.display_name != "Another"
    pass_time(3600)
    assert client.post(reverse("profile"), {"display_name": "Another"}).status_code == 302


def test_a_part_of_a_page_is_refused_as_a_part(contributor):
    use_up(contributor)
    answer = client_of(contributor).post(
        reverse("curation:new", args=["test"]) + "?part=save", {}, headers={"HX-Request": "true"}
    )
    assert (answer.status_code, "<html" in answer.text) == (429, False)
    assert "Nothing of this was saved" in answer.text
    assert int(answer["Retry-After"]) >= 1


def test_a_program_is_told_in_json(evaluator):
    program = Program(make_secret(evaluator))
    use_up(evaluator)
    answer = program.ask("POST", "/drafts", {"organisation": 1, "benchmark": "x"})
    said = json.loads(answer.content)
    assert (answer.status_code, said["status"]) == (429, 429)
    assert said["type"].endswith("#too-many-requests")
    assert "try again in" in said["detail"]
    assert int(answer["Retry-After"]) >= 1


def test_who_only_reads_is_never_refused(contributor, benchmark: Benchmark):
    use_up(contributor)
    client = client_of(contributor)
    for address in ("/inbox/", "/me/", "/b/test/problems/"):
        assert client.get(address).status_code == 200, address


def test_who_used_up_their_seconds_gets_no_preview_and_saves_what_they_like(contributor):
    client = client_of(contributor)
    spend(budgets.name_person(contributor.pk), seconds=COMPUTED().at_once + 5)
    preview = client.post(
        reverse("curation:new", args=["test"]) + "?part=preview", {"answer": "m g h"}
    )
    assert (preview.status_code, "computed much for you" in preview.text) == (429, True)
    assert client.post(reverse("profile"), {"display_name": "Other"}).status_code == 302


def test_a_preview_costs_seconds(contributor):
    client_of(contributor).post(
        reverse("curation:new", args=["test"]) + "?part=preview", {"answer": "m g h"}
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT level FROM {budgets.TABLE} WHERE key = %s",
            [f"{budgets.name_person(contributor.pk)} computed"],
        )
        [[seconds]] = cursor.fetchall()
    assert seconds > 0


def test_sessions_that_have_expired_are_forgotten_and_others_are_not(contributor):
    client = client_of(contributor)
    Session.objects.create(
        session_key="old", session_data="-", expire_date=timezone.now() - timedelta(days=1)
    )
    forget_expired()
    assert not Session.objects.filter(session_key="old").exists()
    assert client.get(reverse("profile")).status_code == 200


def test_what_a_child_works_for_somebody_is_counted_as_theirs():
    with sandbox.metered() as meter:
        sandbox.run(sum, range(20_000_000), deadline=60.0)
    assert meter.seconds > 0.05
    with sandbox.metered() as later:
        pass
    assert later.seconds == 0


def test_a_visitors_address_has_a_budget_of_its_own(client, contributor):
    spend("address 127.0.0.1/32", size=1.5 * budgets.VISITORS().at_once)
    refused = client.post(reverse("account_login"), {"login": "a@b.example", "password": "x"})
    assert (refused.status_code, "sent more in a short time" in refused.text) == (429, True)
    assert client_of(contributor).post(reverse("profile"), {}).status_code == 200
    elsewhere = client.post(reverse("account_login"), {}, REMOTE_ADDR="192.0.2.9")
    assert elsewhere.status_code == 200


def test_whoever_refuses_says_when_to_come_again(client):
    address = reverse("account_reset_password")
    for number in range(21):
        answer = client.post(address, {"email": f"{number}@phybench.example"})
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")


def test_what_somebody_is_told_does_not_pile_up_where_they_never_look(contributor):
    client = client_of(contributor)
    for number in range(30):
        client.post(reverse("profile"), {"display_name": f"Name {number}"})
    assert len(client.session.get("_messages", "")) < 3_000
    page = client.get(reverse("profile")).text
    assert "others now see you as Name 29" in page
    assert page.count("others now see you as") == 10


# --- Sizes ----------------------------------------------------------------------------------


def test_a_form_that_is_too_large_is_refused_with_a_sentence(contributor):
    sent = {"display_name": "x" * (budgets.LARGEST_FORM + 1)}
    answer = client_of(contributor).post(
        reverse("profile"), sent, content_type="application/x-www-form-urlencoded"
    )
    assert (answer.status_code, "too large" in answer.text) == (413, True)


def test_a_file_may_be_as_large_as_a_minutes_budget(evaluator, settings):
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = 1, 10
    client = client_of(evaluator)

    def upload(size: int):
        file = SimpleUploadedFile("a.jsonl", b"x" * size)
        return client.post(reverse("grading:upload"), {"answers": file})

    assert upload(int(0.5 * MB)).status_code != 413
    too_large = upload(2 * MB)
    assert (too_large.status_code, "gzip" in too_large.text) == (413, True)


def test_a_part_that_is_too_large_is_refused_before_any_of_it_is_read(evaluator):
    body = io.BytesIO(b"")
    secret = make_secret(evaluator)
    answer = Program(secret).client.generic(
        "POST",
        f"{BASE}/drafts/1/parts",
        body.read(),
        content_type="application/octet-stream",
        headers={"Authorization": f"Bearer {secret}", "Content-Length": str(300 * MB)},
    )
    said = json.loads(answer.content)
    assert (answer.status_code, said["type"].rpartition("#")[2]) == (413, "too-large")


# --- E-mails --------------------------------------------------------------------------------


@pytest.mark.parametrize("has_account", [True, False])
def test_one_address_gets_few_e_mails_a_day_whether_or_not_it_has_an_account(
    client, mailoutbox, has_account
):
    person = make_person(None, "victim")
    email = person.email if has_account else "nobody@phybench.example"
    pages = []
    for number in range(10):
        answer = client.post(
            reverse("account_reset_password"), {"email": email}, REMOTE_ADDR=f"192.0.2.{number}"
        )
        pages.append(answer.status_code)
    assert pages == [302] * 6 + [429] * 4
    assert len(mailoutbox) == 6
    assert "today" in answer.text
    assert answer["Retry-After"] == str(24 * 3600)
    other = client.post(reverse("account_reset_password"), {"email": "other@phybench.example"})
    assert other.status_code == 302


def test_signing_up_in_somebodys_name_sends_them_no_more_either(client, mailoutbox):
    person = make_person(None, "victim")
    sent = {"email": person.email, "password1": "a long Pass-word 7", "display_name": "X"}
    sent["password2"] = sent["password1"]
    for number in range(10):
        client.post(reverse("account_signup"), sent, REMOTE_ADDR=f"192.0.2.{number}")
    assert 1 <= len(mailoutbox) <= 6
