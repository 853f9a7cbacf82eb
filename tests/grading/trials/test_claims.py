"""Trials at the hands of several workers, of which some are lost."""

import pytest
from django.utils import timezone

from grading.calling.models import Spending
from grading.trials import work as trying
from grading.trials.models import TrialAnswer
from grading.trials.tasks import grade_trial_answer, requeue_unattended_trials
from tests.grading.trials.trials import box, make_endpoint, read_states, try_on, work_off

pytestmark = pytest.mark.django_db(transaction=True)


def test_doing_it_twice_calls_once(serve, draft):
    server = serve(box("m g h"), box("0"))
    trial = try_on(make_endpoint(server), draft)
    work_off(trial)
    before = list(TrialAnswer.objects.values())
    work_off(trial)
    assert list(TrialAnswer.objects.values()) == before
    assert len(server.requests) == 1


def test_what_another_worker_has_is_not_taken_until_its_lease_is_over(serve, draft):
    trial = try_on(make_endpoint(serve()), draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    assert trying.claim_to_ask(pk) is not None
    assert trying.claim_to_ask(pk) is None
    TrialAnswer.objects.update(lease_until=timezone.now())
    assert [requeue_unattended_trials(), requeue_unattended_trials()] == [1, 1]
    again = trying.claim_to_ask(pk)
    assert again is not None
    assert (again.tries, again.lost) == (2, 1)


def test_what_comes_from_a_worker_that_lost_its_claim_is_paid_for_and_not_kept(serve, draft):
    trial = try_on(make_endpoint(serve(box("0"), box("m g h"))), draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    slow = trying.claim_to_ask(pk)
    TrialAnswer.objects.update(lease_until=timezone.now())
    quick = trying.claim_to_ask(pk)
    trying.ask(slow)
    assert TrialAnswer.objects.get().state == "CALLING"
    trying.ask(quick)
    grade_trial_answer(pk)
    assert TrialAnswer.objects.get().verdict == "CORRECT"
    assert Spending.objects.get().calls == 2


def test_an_answer_that_takes_worker_after_worker_with_it_fails(serve, draft, settings):
    server = serve(box("m g h"))
    trial = try_on(make_endpoint(server), draft)
    for _ in range(settings.GRADING_TRIES):
        trying.claim_to_ask(trial.answers.get().pk)
        TrialAnswer.objects.update(lease_until=timezone.now())
    work_off(trial)
    assert read_states(trial) == [("FAILED", "worker_lost")]
    assert server.requests == []


def test_the_sweep_finds_what_the_broker_lost_and_what_is_overdue(serve, draft, settings):
    trial = try_on(make_endpoint(serve()), draft)
    assert requeue_unattended_trials() == 0
    settings.GRADING_FORGOTTEN_SECONDS = 0
    assert requeue_unattended_trials() == 1
    settings.GRADING_FORGOTTEN_SECONDS = 600
    TrialAnswer.objects.update(next_at=timezone.now())
    assert requeue_unattended_trials() == 0
    settings.CALLING_OVERDUE_SECONDS = 0
    assert requeue_unattended_trials() == 1
    assert trial.answers.get().next_at is None
