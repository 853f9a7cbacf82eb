"""Trials at the hands of several workers, of which some are lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from grading.model_runs.trials import work as trying
from grading.model_runs.trials.models import TrialAnswer
from grading.model_runs.trials.tasks import ASKING
from grading.runs.models import Spending
from tests.grading.trials.trials import box, make_endpoint, read_states, try_on, work_off
from tests.work import grade_trial_answer

pytestmark = pytest.mark.usefixtures("commits")


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
    assert ASKING.claim(pk) is not None
    assert ASKING.claim(pk) is None
    TrialAnswer.objects.update(lease_until=timezone.now())
    assert ASKING.list_due().count() == 1
    again = ASKING.claim(pk)
    assert again is not None
    assert (again.tries, again.lost) == (2, 1)


def test_what_comes_from_a_worker_that_lost_its_claim_is_paid_for_and_not_kept(serve, draft):
    trial = try_on(make_endpoint(serve(box("0"), box("m g h"))), draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    slow = ASKING.claim(pk)
    TrialAnswer.objects.update(lease_until=timezone.now())
    quick = ASKING.claim(pk)
    trying.ask(slow)
    assert TrialAnswer.objects.get().state == "CALLING"
    trying.ask(quick)
    grade_trial_answer(pk)
    assert TrialAnswer.objects.get().verdict == "CORRECT"
    assert Spending.objects.get().calls == 2


def test_an_answer_that_takes_worker_after_worker_with_it_fails(serve, draft, settings):
    server = serve(box("m g h"))
    trial = try_on(make_endpoint(server), draft)
    for _ in range(settings.WORK_TRIES):
        ASKING.claim(trial.answers.get().pk)
        TrialAnswer.objects.update(lease_until=timezone.now())
    work_off(trial)
    assert read_states(trial) == [("FAILED", "worker_lost")]
    assert server.requests == []


def test_what_was_put_off_is_due_when_its_time_has_come(serve, draft):
    trial = try_on(make_endpoint(serve()), draft)
    assert ASKING.list_due().count() == 1
    TrialAnswer.objects.update(next_at=timezone.now() + timedelta(seconds=60))
    assert ASKING.list_due().count() == 0
    assert ASKING.claim(trial.answers.get().pk) is None
    TrialAnswer.objects.update(next_at=timezone.now())
    claimed = ASKING.claim()
    assert claimed is not None
    assert claimed.next_at is None
