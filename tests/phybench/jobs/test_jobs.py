"""A long action: begun once, done whole or not at all, and told to the person who began it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connections
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from phybench.news.jobs import actions, kinds, models
from phybench.news.jobs.kinds import JobKind, Result
from phybench.news.jobs.models import Job
from phybench.news.jobs.tasks import CARRYING_OUT
from phybench.people.models import Role, User
from phybench.work import leases
from phybench.work.leases import carry_out
from phybench.work.models import Lost
from tests.addresses import client_of
from tests.conftest import make_person
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db
Do = Callable[[Job], Result]


class InTheWay(Exception):
    pass


@pytest.fixture
def register() -> Iterator[Callable[[Do], None]]:
    """Give what registers how jobs of the test's kind are done."""
    yield lambda do: kinds.register(JobKind("of_a_test", do, refusals=(InTheWay,)))
    kinds.kinds.pop("of_a_test", None)


def begin(by: User, **more: object) -> Job:
    given = {"title": "Counting", "back": "/me/", "subject": 1, **more}
    return actions.begin("of_a_test", by=by, **given)


def rename(job: Job) -> Result:
    User.objects.filter(pk=job.by_id).update(display_name=job.arguments["name"])
    return Result("Renamed.", "/home/")


def test_a_job_is_done_and_leads_on_to_its_result(register, evaluator):
    register(rename)
    job = begin(evaluator, name="Eve")
    page = client_of(evaluator).get(job.get_absolute_url())
    assert "Counting" in page.text
    assert f'hx-get="{job.get_absolute_url()}"' in page.text
    [done] = carry_out_jobs()
    assert (done.outcome, done.arguments) == ("DONE", {})
    assert User.objects.get(pk=evaluator.pk).display_name == "Eve"
    led = client_of(evaluator).get(job.get_absolute_url(), follow=True)
    assert led.redirect_chain[0] == ("/home/", 302)
    assert "Renamed." in led.text
    assert begin(evaluator, name="Eve").pk != job.pk


def test_what_is_in_the_way_is_told_to_who_began_it_and_nothing_is_kept(register, evaluator):
    def rename_in_vain(job: Job) -> Result:
        rename(job)
        raise InTheWay("That name is taken. Choose another.")

    register(rename_in_vain)
    job = begin(evaluator, name="Eve")
    carry_out_jobs()
    assert User.objects.get(pk=evaluator.pk).display_name == evaluator.display_name
    page = client_of(evaluator).get(job.get_absolute_url())
    assert "That name is taken. Choose another." in page.text
    assert 'href="/me/"' in page.text
    assert "hx-get" not in page.text.partition('id="state"')[2]
    home = client_of(evaluator).get(reverse("inbox")).text
    assert "Counting: not done. That name is taken. Choose another." in home
    Job.objects.update(ended_at=timezone.now() - timedelta(days=2))
    assert "That name is taken" not in client_of(evaluator).get(reverse("inbox")).text


@pytest.mark.parametrize("role", list(Role))
def test_what_is_under_way_is_on_the_desk_of_who_began_it(register, role):
    person = make_person(role, "somebody")
    begin(person)
    assert "Counting: in progress." in client_of(person).get(reverse("inbox")).text


def test_a_job_is_nobody_elses(register, evaluator, admin):
    job = begin(evaluator)
    assert client_of(admin).get(job.get_absolute_url()).status_code == 404
    assert "Counting" not in client_of(admin).get(reverse("inbox")).text


def test_who_may_sign_in_no_more_has_nothing_done(register, evaluator):
    register(rename)
    begin(evaluator, name="Eve")
    User.objects.filter(pk=evaluator.pk).update(is_active=False)
    assert [job.said for job in carry_out_jobs()] == ["This account is not active."]


def test_a_right_that_was_lost_meanwhile_is_no_failure_of_ours(register, evaluator):
    def refuse(job: Job) -> Result:
        raise PermissionDenied("Only admins do this.")

    register(refuse)
    begin(evaluator)
    assert [(job.outcome, job.said) for job in carry_out_jobs()] == [
        ("REFUSED", "Only admins do this.")
    ]


def test_a_failure_of_ours_is_tried_again_and_in_the_end_told(
    register, evaluator, settings, monkeypatch
):
    monkeypatch.setattr(leases, "RETRY_SECONDS", 0.0)
    tried = []

    def fail(job: Job) -> Result:
        rename(job)
        tried.append(job.pk)
        raise ValueError

    register(fail)
    job = begin(evaluator, name="Eve")
    for _turn in range(settings.WORK_TRIES + 1):
        carry_out_jobs()
    assert len(tried) == settings.WORK_TRIES
    job.refresh_from_db()
    assert job.outcome == Job.Outcome.LOST
    assert (
        "Nothing was changed. Try again." in client_of(evaluator).get(job.get_absolute_url()).text
    )
    assert User.objects.get(pk=evaluator.pk).display_name == evaluator.display_name


def test_what_a_worker_did_that_had_lost_its_lease_is_not_kept(register, evaluator):
    def lose(job: Job) -> Result:
        Job.objects.filter(pk=job.pk).update(tries=job.tries + 1)
        return rename(job)

    register(lose)
    job = begin(evaluator, name="Eve")
    claimed = CARRYING_OUT.claim(job.pk)
    with pytest.raises(Lost):
        kinds.carry_out(claimed)
    assert User.objects.get(pk=evaluator.pk).display_name == evaluator.display_name


def test_what_comes_of_it_is_said_in_the_language_it_was_begun_in(register, evaluator):
    def say(job: Job) -> Result:
        return Result(gettext("Saved."), "/home/")

    register(say)
    with translation.override("zh-hans"):
        begin(evaluator)
        expected = gettext("Saved.")
    assert expected != "Saved."
    assert [job.said for job in carry_out_jobs()] == [expected]


def test_jobs_of_long_ago_are_forgotten_when_their_person_begins_another(register, evaluator):
    register(rename)
    begin(evaluator, name="Eve")
    carry_out_jobs()
    Job.objects.update(ended_at=timezone.now() - actions.KEPT_FOR)
    begin(evaluator, name="Eve", subject=2)
    assert [job.subject for job in Job.objects.all()] == ["2"]


@pytest.mark.django_db(transaction=True)
def test_begun_by_many_at_the_same_moment_it_is_one_job(register, evaluator, admin):
    def run(person: User) -> int:
        try:
            return begin(person).pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(run, [evaluator, admin] * 4))) == 1
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_its_page_shows_how_far_it_is_while_it_is_carried_out(register, evaluator, monkeypatch):
    monkeypatch.setattr(models, "TOLD_EVERY", 0.0)
    seen = []

    def count(job: Job) -> Result:
        for number in (0, 1200):
            job.tell(number, 20_000)
        with ThreadPoolExecutor(1) as other:
            seen.append(other.submit(look).result())
        return Result("Counted.", "/home/")

    def look() -> str:
        try:
            return client_of(evaluator).get(job.get_absolute_url()).text
        finally:
            connections.close_all()

    register(count)
    job = begin(evaluator)
    claimed = CARRYING_OUT.claim(job.pk)
    carry_out(CARRYING_OUT, [claimed])
    assert "1,200 of 20,000" in seen[0]
    job.refresh_from_db()
    assert job.outcome == "DONE"
