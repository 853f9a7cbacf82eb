"""Pairwise runs, pair by pair: both orders, what is kept, what is missing, who may begin one."""

import contextlib

import pytest
from django.db import DatabaseError, connection, transaction

from curation.problems.benchmarks.models import Benchmark
from grading.answers.submissions.models import Submission
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.pairs.preferences import count_places
from grading.judging.prompts.configurations import Chosen
from grading.judging.runs import actions as run_actions
from grading.judging.runs.actions import CannotRun
from grading.runs.models import Endpoint
from grading.submissions import publication
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.endpoints import steps
from tests.grading.judging.judging import (
    JUDGE,
    begin,
    grade_all,
    mark_graded,
    read_items,
    skip_canaries,
    work_off,
)
from tests.grading.judging.pairing import (
    BEST,
    CANARIES,
    compare_both,
    hand_in_as,
    hand_in_both,
    make_document,
    make_pair_plan,
    prefer,
    prefer_first_place,
)
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


@pytest.fixture
def both(problems, evaluator):
    """Two submissions: A's first answer is better, B's second, and their third are alike."""
    made = hand_in_both(evaluator, problems, [f"m g h, {BEST}", "b", "x"], ["x", f"a, {BEST}", "x"])
    for one in made:
        mark_graded(one)
    return made


def real(run):
    return Judgement.objects.filter(item__run=run, item__canary="").order_by("pk")


def test_each_pair_is_judged_in_both_orders_and_what_was_said_is_kept(serve, both):
    server = serve(prefer)
    run = compare_both(*both, make_endpoint(server))
    work_off(run)
    assert [(one.verdict["preferred"], one.value) for one in real(run)] == [
        ("first", 1.0),
        ("second", 0.0),
        ("tie", 0.5),
    ]
    assert {one.is_right for one in real(run)} == {None}
    assert {one.path for one in real(run)} == {"both_orders"}
    assert len(server.requests) == 2 * (3 + CANARIES)
    passed = Judgement.objects.exclude(item__canary="").values_list("has_passed", flat=True)
    assert list(passed) == [True] * CANARIES
    first = real(run).first()
    calls = JudgeCall.objects.filter(item=first.item).order_by("pk")
    assert [(one.order, one.read_preference) for one in calls] == [
        ("first_as_a", "A"),
        ("first_as_b", "B"),
    ]
    assert (first.calls, {one.template for one in calls}) == (2, {"pairwise/en/with-reference"})


def test_what_is_said_of_a_pair_is_said_of_neither_answer(serve, both):
    run = compare_both(*both, make_endpoint(serve(prefer)))
    skip_canaries(run)
    work_off(run)
    assert set(real(run).values_list("attempt", flat=True)) == {None}
    pair = run.items.filter(canary="").first()
    assert (pair.attempt.submission, pair.other.submission) == (both[0], both[1])
    assert pair.attempt.revision == pair.other.revision


def test_a_judge_that_goes_by_the_place_has_no_verdict_and_is_not_asked_again(serve, both):
    server = serve(prefer_first_place)
    run = compare_both(*both, make_endpoint(server))
    work_off(run)
    assert read_items(run) == [("UNSCORED", "position_inconsistent")] * 3
    assert {one.value for one in real(run)} == {None}
    assert not Judgement.objects.filter(has_passed=True).exists()
    [found] = count_places(run)
    assert found.rows == [("FIRST", 3, 0, 0), ("SECOND", 3, 0, 0)]
    assert found.share == 100.0
    asked = len(server.requests)
    assert run_actions.ask_again(run=run, by=both[0].uploaded_by) == 0
    work_off(run)
    assert len(server.requests) == asked


def test_a_judge_and_the_grader_who_disagree_leave_a_doubt(serve, problems, evaluator):
    """The first is right by the grader and loses; of the second, none can be read."""
    first, second = hand_in_both(
        evaluator, problems, [r"\boxed{m g h}", "?"], [rf"{BEST}: \boxed{{m g}}", f"{BEST} ?"]
    )
    for one in (first, second):
        grade_all(one)
    run = compare_both(first, second, make_endpoint(serve(prefer)))
    skip_canaries(run)
    work_off(run)
    lost, unread = real(run)
    assert (lost.value, lost.doubts) == (0.0, ["GRADER_DISAGREES"])
    assert (lost.symbolic_verdict, lost.other_symbolic_verdict) == ("CORRECT", "PARTIAL")
    assert (unread.value, unread.doubts, unread.symbolic_verdict) == (0.0, [], "UNREADABLE")


def test_of_a_pair_only_the_order_that_failed_is_asked_again(serve, both):
    failing = [True]

    def judge(request):
        is_second = len(server.requests) % 2 == 0
        return steps.refusal() if failing and is_second else prefer(request)

    server = serve(judge)
    run = compare_both(*both, make_endpoint(server))
    skip_canaries(run)
    work_off(run)
    assert read_items(run) == [("UNSCORED", "refusal")] * 3
    assert len(server.requests) == 6
    failing.clear()
    assert run_actions.ask_again(run=run, by=both[0].uploaded_by) == 3
    work_off(run)
    assert [one.value for one in real(run).filter(status="SCORED")] == [1.0, 0.0, 0.5]
    assert len(server.requests) == 9, "what was said in the first order is not paid for twice"


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_ends_between_the_orders_leaves_the_first_one_kept(serve, both):
    def judge(request):
        with contextlib.closing(connection):
            run_actions.pause(run=JudgeRun.objects.get(), by=both[0].uploaded_by)
        return prefer(request)

    server = serve(judge)
    run = compare_both(*both, make_endpoint(server))
    skip_canaries(run)
    run.items.filter(canary="").exclude(pk=run.items.filter(canary="").first().pk).delete()
    work_off(run)
    assert read_items(run) == [("QUEUED", "")]
    assert JudgeCall.objects.get().order == "first_as_a"
    run_actions.resume(run=run, by=both[0].uploaded_by)
    work_off(run)
    assert (read_items(run), len(server.requests)) == ([("SCORED", "")], 2)


def test_the_same_pair_is_taken_over_and_the_places_of_its_replies_are_counted(serve, both):
    server = serve(prefer)
    endpoint = make_endpoint(server)
    before = compare_both(*both, endpoint)
    skip_canaries(before)
    work_off(before)
    asked = len(server.requests)
    run = compare_both(*both, endpoint)
    work_off(run)
    assert len(server.requests) == asked + 2 * CANARIES
    assert [(one.value, one.reused_id is not None) for one in real(run)] == [
        (1.0, True),
        (0.0, True),
        (0.5, True),
    ]
    [found] = count_places(run)
    assert found.rows == [("FIRST", 1, 1, 1), ("SECOND", 1, 1, 1)]
    exchanged = compare_both(both[1], both[0], endpoint)
    skip_canaries(exchanged)
    work_off(exchanged)
    assert [one.reused_id for one in real(exchanged)] == [None] * 3, "it is another input"


def test_a_panel_that_is_evenly_split_has_no_verdict(serve, both):
    one = make_endpoint(serve(prefer), name="Fair")
    other = make_endpoint(
        serve(lambda request: steps.answer(request, "[[tie]] TOKEN")), name="Mild"
    )
    run = compare_both(
        *both,
        one,
        document=make_document(one, other),
        judges=[Chosen(one, JUDGE), Chosen(other, JUDGE)],
        hosts=frozenset({one.host, other.host}),
    )
    skip_canaries(run)
    work_off(run)
    assert [(said.reason, said.value, said.doubts) for said in real(run)] == [
        ("no_consensus", None, ["VOTES_DISAGREE"]),
        ("no_consensus", None, ["VOTES_DISAGREE"]),
        ("", 0.5, []),
    ]
    fair, mild = count_places(run)
    assert (fair.judge, fair.rows) == (
        f"{JUDGE} · Fair",
        [("FIRST", 1, 1, 1), ("SECOND", 1, 1, 1)],
    )
    assert (mild.rows, mild.share) == ([("FIRST", 0, 0, 3), ("SECOND", 0, 0, 3)], None)


@pytest.mark.parametrize("place", [0, 1])
def test_a_model_does_not_judge_a_pair_of_which_it_gave_one(serve, problems, evaluator, place):
    names = ["Another", "Another"]
    names[place] = JUDGE
    made = [
        hand_in_as(evaluator, name, [(problems[0], text)])
        for name, text in zip(names, "xy", strict=True)
    ]
    for one in made:
        mark_graded(one)
    server = serve(prefer)
    run = compare_both(*made, make_endpoint(server))
    skip_canaries(run)
    work_off(run)
    assert read_items(run) == [("SKIPPED", "self_judge")]
    assert server.requests == []


# --- Who may, and what may not be -----------------------------------------------------------


def test_only_who_handed_both_in_or_an_admin_has_them_compared(
    serve, problems, both, evaluator, admin
):
    other = make_person(Role.EVALUATOR, "other")
    theirs = hand_in_as(other, "Model C", [(problems[0], "z")])
    mark_graded(theirs)
    endpoint = make_endpoint(serve(prefer))
    plan = make_pair_plan(theirs, endpoint)
    with pytest.raises(CannotRun, match="members of both teams"):
        run_actions.begin(submission=both[0], started_by=evaluator, plan=plan)
    with pytest.raises(CannotRun, match="Only members of its team"):
        run_actions.begin(submission=both[0], started_by=other, plan=plan)
    run = run_actions.begin(submission=both[0], started_by=admin, plan=plan)
    for person in (evaluator, other):
        with pytest.raises(CannotRun):
            run_actions.pause(run=run, by=person)
    run_actions.pause(run=run, by=admin)


def test_what_can_not_be_compared_is_refused_with_what_to_do(serve, problems, both, evaluator):
    endpoint = make_endpoint(serve(prefer))
    first, second = both
    apart = hand_in_as(evaluator, "Model C", [(problems[4], "z")])
    mark_graded(apart)
    for other, says in ((first, "another submission"), (apart, "no problem in common")):
        with pytest.raises(CannotRun, match=says):
            compare_both(first, other, endpoint)
    with pytest.raises(CannotRun, match="compares with another"):
        begin(first, endpoint, other=second)
    with pytest.raises(CannotRun, match="compares with another"):
        begin(first, endpoint, document=make_document(endpoint))
    second.attempts.update(status="QUEUED", failure_reason="")
    with pytest.raises(CannotRun, match=r"Model B .* Wait until"):
        compare_both(first, second, endpoint)
    mark_graded(second)
    run = compare_both(first, second, endpoint)
    with pytest.raises(CannotRun, match="already working"):
        compare_both(first, second, endpoint)
    run_actions.cancel(run=run, by=evaluator)
    publication.withdraw(submission=second, by=evaluator)
    with pytest.raises(CannotRun, match=r"Model B .* withdrawn"):
        run_actions.ask_again(run=run, by=evaluator)


def test_the_database_holds_no_run_or_item_that_compares_what_can_not_be(serve, both, evaluator):
    first, second = both
    run = compare_both(first, second, make_endpoint(serve(prefer)))
    single = begin(first, Endpoint.objects.get())
    for change in ({"other": None}, {"other": first}):
        with pytest.raises(DatabaseError), transaction.atomic():
            JudgeRun.objects.filter(pk=run.pk).update(**change)
    with (
        pytest.raises(DatabaseError, match="a judge that compares takes two"),
        transaction.atomic(),
    ):
        JudgeRun.objects.filter(pk=single.pk).update(other=second)
    elsewhere = Benchmark.objects.create(name="Elsewhere", slug="elsewhere")
    foreign = Submission.objects.create(
        solver=second.solver,
        benchmark=elsewhere,
        number=1,
        uploaded_by=evaluator,
        file_name="answers.json",
        file_sha256="0" * 64,
        expected=1,
    )
    with pytest.raises(DatabaseError, match="two benchmarks"), transaction.atomic():
        JudgeRun.objects.filter(pk=run.pk).update(other=foreign)
    pair, last = run.items.filter(canary="").first(), run.items.filter(canary="").last()
    canary = run.items.exclude(canary="").first()
    for item, change in (
        (pair, {"other": pair.attempt}),
        (pair, {"other": last.other}),
        (canary, {"other": pair.other}),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            JudgeItem.objects.filter(pk=item.pk).update(**change)
