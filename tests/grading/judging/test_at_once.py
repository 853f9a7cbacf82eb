"""Two at once: two who begin, two workers with one message, who cancels while one writes."""

import contextlib
from collections.abc import Callable

import pytest
from django.db import connections

from grading.answers.models import Attempt
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeFile, JudgeItem, JudgeRun
from grading.judging.runs import actions as run_actions
from grading.judging.runs import work
from grading.judging.runs.actions import CannotRun
from grading.judging.runs.tasks import JUDGING
from grading.judging.uploads.actions import UploadedBefore, upload
from grading.runs import calls as calling
from grading.runs.models import ModelCall
from grading.samples.labels import rulings
from grading.samples.labels.models import Ruling
from tests.grading.concurrency import hold, meanwhile
from tests.grading.judging.judging import begin, judge_well, mark_graded, work_off
from tests.grading.trials.trials import make_endpoint
from tests.organisations import organisation_of
from tests.work import judge_item

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def submission(problems, hand_in):
    made = hand_in((problems[0], "m g h"), (problems[1], "b"))
    mark_graded(made)
    return made


@pytest.fixture
def endpoint(serve):
    return make_endpoint(serve(judge_well))


LOCK_SUBMISSION = "select 1 from grading_submission where id = %s for no key update"
LOCK_ORGANISATION = "select 1 from grading_organisation where id = %s for no key update"
LOCK_RUN = "select 1 from grading_run where id = %s for no key update"
LOCK_ITEM = "select 1 from grading_judgeitem where id = %s for update"
LOCK_ATTEMPT = "select 1 from grading_attempt where id = %s for update"


def tell(function: Callable[[], object], *errors: type[Exception]) -> Callable[[], str]:
    """Do something, and say what came of it."""

    def told() -> str:
        try:
            function()
        except errors as error:
            return str(error)
        return "done"

    return told


def test_of_two_who_begin_the_same_run_one_is_told(submission, endpoint):
    start = tell(lambda: begin(submission, endpoint), CannotRun)
    with (
        hold(LOCK_SUBMISSION, submission.pk) as let_go,
        meanwhile(start) as first,
        meanwhile(start) as second,
    ):
        let_go()
    told = sorted([first.result(), second.result()])
    assert (told[1], JudgeRun.objects.count()) == ("done", 1)
    assert "already working" in told[0]


def test_of_two_who_upload_the_same_file_one_is_led_to_the_other_one(evaluator):
    organisation = organisation_of(evaluator)

    def send() -> object:
        return upload(
            by=evaluator,
            organisation=organisation,
            file_name="same.jsonl",
            content=b'{"id": 1, "question": "2+2?", "response": "4", "reference": "4"}',
        )

    with (
        hold(LOCK_ORGANISATION, organisation.pk) as let_go,
        meanwhile(tell(send, UploadedBefore)) as first,
        meanwhile(tell(send, UploadedBefore)) as second,
    ):
        let_go()
    assert sorted([first.result(), second.result()]) == ["done", "same.jsonl"]
    assert JudgeFile.objects.count() == 1


def test_of_two_workers_with_one_message_one_takes_the_item(submission, endpoint):
    run = begin(submission, endpoint)
    pk = run.items.first().pk
    with (
        hold(LOCK_ITEM, pk) as let_go,
        meanwhile(lambda: JUDGING.claim(pk)) as first,
        meanwhile(lambda: JUDGING.claim(pk)) as second,
    ):
        let_go()
    assert sorted([first.result() is None, second.result() is None]) == [False, True]
    assert JudgeItem.objects.get(pk=pk).tries == 1


def test_of_two_workers_after_a_dead_one_one_takes_the_item_over(submission, endpoint):
    run = begin(submission, endpoint)
    item = JUDGING.claim(run.items.first().pk)
    JudgeItem.objects.update(reserved_calls=1, reserved_tokens=50)
    JudgeItem.objects.filter(pk=item.pk).update(lease_until="2000-01-01T00:00Z")
    with (
        hold(LOCK_ITEM, item.pk) as let_go,
        meanwhile(lambda: judge_item(item.pk)) as first,
        meanwhile(lambda: judge_item(item.pk)) as second,
    ):
        let_go()
    assert (first.result(), second.result()) == (None, None)
    item.refresh_from_db()
    run.refresh_from_db()
    assert (item.lost, item.tries, run.lost_calls, run.lost_tokens) == (1, 2, 1, 50)


def test_what_a_worker_holds_when_its_run_is_cancelled_is_not_left_waiting(submission, endpoint):
    run = begin(submission, endpoint)
    item = JUDGING.claim(run.items.filter(canary="").first().pk)
    with (
        hold(LOCK_RUN, run.pk) as let_go,
        meanwhile(lambda: run_actions.cancel(run=run, by=submission.uploaded_by)) as cancelled,
    ):
        let_go()
    work.judge(item)
    assert cancelled.result() == run.items.count() - 1
    item.refresh_from_db()
    assert (item.state, item.calls.count()) == ("CANCELLED", 0)
    assert run.items.waiting().count() == 0


def test_two_who_press_ask_again_ask_once(submission, endpoint):
    run = begin(submission, endpoint)
    run_actions.cancel(run=run, by=submission.uploaded_by)
    with (
        hold(LOCK_RUN, run.pk) as let_go,
        meanwhile(lambda: run_actions.ask_again(run=run, by=submission.uploaded_by)) as first,
        meanwhile(lambda: run_actions.ask_again(run=run, by=submission.uploaded_by)) as second,
    ):
        let_go()
    assert sorted([first.result(), second.result()]) == [0, 7]
    work_off(run)
    assert Judgement.objects.count() == 7


def test_a_ruling_given_twice_at_once_is_one(submission, admin):
    attempt = Attempt.objects.first()
    give = tell(
        lambda: rulings.rule(attempt=attempt, by=admin, choice="RIGHT", reason="So."),
        rulings.CannotRule,
    )
    with (
        hold(LOCK_ATTEMPT, attempt.pk) as let_go,
        meanwhile(give) as first,
        meanwhile(give) as second,
    ):
        let_go()
    assert sorted([first.result(), second.result()])[1] == "done"
    assert Ruling.objects.count() == 1


def test_who_resumes_and_who_keeps_a_call_do_not_wait_for_each_other(
    submission, serve, monkeypatch
):
    by, paused = submission.uploaded_by, []

    def pause_and_judge(request):
        if not paused:
            paused.append(run_actions.pause(run=run, by=by))
        connections.close_all()
        return judge_well(request)

    run = begin(submission, make_endpoint(serve(pause_and_judge)))
    item = JUDGING.claim(run.items.filter(canary="").first().pk)
    kept, resumed = calling.keep, []
    with contextlib.ExitStack() as waiting:

        def keep(*args, **fields):
            """Keep a call; while the endpoint is held for it, somebody resumes."""
            made = kept(*args, **fields)
            resume = meanwhile(lambda: run_actions.resume(run=run, by=by))
            resumed.append(waiting.enter_context(resume))
            return made

        monkeypatch.setattr(calling, "keep", keep)
        work.judge(item)
    assert resumed[0].result()
    assert ModelCall.objects.count() == 1
