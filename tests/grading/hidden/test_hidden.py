"""Answers to the hidden part: kept apart, told as one figure, within one budget a person."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures import ledger
from curation.problems.models import Problem
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.versions import actions as versioning
from curation.versions.actions import CannotChange
from curation.versions.permissions import list_to_answer
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.submitting import TooMany
from grading.submissions.hidden import actions
from grading.submissions.hidden.actions import CannotAsk
from grading.submissions.hidden.tasks import GRADING
from phybench.people.models import Role, User
from phybench_grader.statistics.ladder import BUDGET
from tests import drafts
from tests.addresses import reverse_asked
from tests.conftest import accept, make_benchmark, make_draft, make_person
from tests.memory import remembered
from tests.organisations import join, organisation_of
from tests.versions import publish_version
from tests.work import do

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "m g h", "m g"


@pytest.fixture(autouse=True)
def small(settings) -> None:
    settings.LEAST_HIDDEN_ITEMS = 2


@pytest.fixture
@remembered
def problems(contributor: User, reviewer: User, benchmark: Benchmark) -> list[Problem]:
    return [
        accept(make_draft(contributor, benchmark), contributor, reviewer) for _number in range(4)
    ]


@pytest.fixture
@remembered
def hidden(problems: list[Problem], benchmark: Benchmark) -> list[Problem]:
    publish_version(benchmark, hidden=tuple(one.identifier for one in problems[2:]))
    return problems[2:]


def hand_in(
    by: User, benchmark: Benchmark, answers: dict[Problem, str], model: str = "A model", times=1
) -> Submission:
    rows = [
        {"id": problem.identifier, "model": model, "model_answer": answer, "repeat_index": sample}
        for problem, answer in answers.items()
        for sample in range(times)
    ]
    [made] = drafts.grade(
        organisation=organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    return made


def grade(batch: HiddenBatch) -> HiddenBatch:
    for answer in batch.answers.waiting():
        do(GRADING, answer.pk)
    return batch


def ask(by: User, benchmark: Benchmark, answers: dict[Problem, str], **more) -> HiddenBatch:
    batch = grade(hand_in(by, benchmark, answers, **more).hidden)
    return actions.ask(batch=batch, by=by)


@pytest.fixture
def batch(problems, hidden, benchmark, evaluator) -> HiddenBatch:
    answers = {problems[0]: RIGHT, hidden[0]: RIGHT, hidden[1]: RIGHT}
    return hand_in(evaluator, benchmark, answers).hidden


def test_hidden_answers_are_no_attempts(batch, hidden):
    assert batch.answers.count() == 2
    assert not Attempt.objects.filter(revision__problem__in=hidden).exists()


def test_one_figure_is_told_of_all_hidden_answers_together(batch, evaluator):
    grade(batch)

    told = actions.ask(batch=batch, by=evaluator)

    assert (told.figure, told.is_better, told.asked_by) == (100, True, evaluator)


def test_samples_are_averaged_within_a_problem(problems, hidden, benchmark, evaluator):
    answers = {problems[0]: RIGHT, hidden[0]: RIGHT, hidden[1]: RIGHT}

    assert ask(evaluator, benchmark, answers, times=3).figure == 100


def test_first_figure_has_the_start_to_beat(problems, hidden, benchmark, evaluator):
    half = {problems[0]: RIGHT, hidden[0]: RIGHT, hidden[1]: WRONG}

    # 50 % of two problems are within the error of 30 %.
    told = ask(evaluator, benchmark, half)

    assert (told.figure, told.is_better) == (actions.START.figure, False)


def test_what_does_not_beat_the_last_figure_tells_the_last(problems, hidden, benchmark, evaluator):
    right = {problems[0]: RIGHT, hidden[0]: RIGHT, hidden[1]: RIGHT}
    ask(evaluator, benchmark, right)

    other = ask(evaluator, benchmark, {**right, hidden[0]: WRONG}, model="Another model")

    assert (other.figure, other.is_better) == (100, False)


def test_asked_twice_it_is_told_once(batch, evaluator):
    grade(batch)

    first, again = (actions.ask(batch=batch, by=evaluator) for _time in range(2))

    assert first.asked_at == again.asked_at
    assert actions.measure_left(batch.organisation) == BUDGET - 1


def test_incomplete_batch_is_told_nothing_and_costs_nothing(problems, hidden, benchmark, evaluator):
    made = grade(hand_in(evaluator, benchmark, {problems[0]: RIGHT, hidden[0]: RIGHT}).hidden)

    with pytest.raises(CannotAsk, match="only for a complete batch"):
        actions.ask(batch=made, by=evaluator)

    assert actions.measure_left(made.organisation) == BUDGET


def test_answers_that_wait_or_that_we_could_not_grade_hold_the_figure_back(batch, evaluator):
    with pytest.raises(CannotAsk, match="Not all"):
        actions.ask(batch=batch, by=evaluator)

    grade(batch)
    second = hand_failing(batch)
    with pytest.raises(CannotAsk, match="We could not grade some answers"):
        actions.ask(batch=second, by=evaluator)

    actions.try_again(batch=second, by=evaluator)
    grade(second)
    assert actions.ask(batch=second, by=evaluator).asked_at


def hand_failing(batch: HiddenBatch) -> HiddenBatch:
    """Hand the same in for another model, and have a worker give up one answer."""
    submission = batch.submission
    answers = {
        one.revision.problem: one.response
        for one in [*submission.attempts.all(), *batch.answers.all()]
    }
    second = hand_in(submission.uploaded_by, submission.benchmark, answers, model="Second").hidden
    first, other = second.answers.all()
    row = GRADING.claim(first.pk)
    assert row is not None
    GRADING.give_up(row)
    do(GRADING, other.pk)
    return second


def test_only_its_organisation_asks(batch, participant):
    other = make_person(Role.EVALUATOR, "other")
    organisation_of(other)

    for person in (other, participant):
        with pytest.raises(PermissionDenied):
            actions.ask(batch=grade(batch), by=person)


def test_second_organisation_of_a_person_is_no_second_budget(
    problems, hidden, benchmark, evaluator, monkeypatch
):
    monkeypatch.setattr("grading.submissions.hidden.actions.BUDGET", 1)
    answers = {problems[0]: RIGHT, hidden[0]: WRONG, hidden[1]: WRONG}
    ask(evaluator, benchmark, answers)
    other = make_person(Role.EVALUATOR, "other")
    second = organisation_of(other)

    assert actions.measure_left(second) == 1
    join(second, evaluator)
    assert actions.measure_left(second) == 0

    # Who leaves has been a member.
    membership = second.memberships.get(person=evaluator)
    membership.left_at = membership.joined_at
    membership.save(update_fields=["left_at"])
    assert actions.measure_left(second) == 0
    made = grade(hand_in(other, benchmark, answers).hidden)
    with pytest.raises(CannotAsk, match="has used all"):
        actions.ask(batch=made, by=other)


def test_new_organisation_of_the_same_people_has_their_last_figure_to_beat(
    problems, hidden, benchmark, evaluator
):
    right = {problems[0]: RIGHT, hidden[0]: RIGHT, hidden[1]: RIGHT}
    ask(evaluator, benchmark, right)
    other = make_person(Role.EVALUATOR, "other")
    join(organisation_of(other), evaluator)

    told = ask(other, benchmark, right)

    # The figure is the first organisation's.
    assert (told.figure, told.is_better) == (None, False)


def test_figure_of_another_benchmark_is_none_to_beat(
    problems, hidden, benchmark, contributor, reviewer, evaluator
):
    other = make_benchmark("Other", pipeline=find_pipeline(benchmark))
    theirs = [accept(make_draft(contributor, other), contributor, reviewer) for _number in range(3)]
    publish_version(other, hidden=tuple(one.identifier for one in theirs[1:]))
    ask(evaluator, other, dict.fromkeys(theirs, RIGHT))

    told = ask(evaluator, benchmark, dict.fromkeys([problems[0], *hidden], RIGHT))

    assert (told.figure, told.is_better) == (100, True)


def test_nobody_answers_a_hidden_problem_for_the_baseline(problems, hidden, participant):
    may = set(list_to_answer(participant))

    assert may == set(problems[:2])


def test_problem_that_somebody_was_told_a_verdict_of_is_not_hidden(
    problems, benchmark, participant, admin
):
    told = problems[0].accepted_revision
    assert told is not None
    ledger.write_verdicts(participant, ledger.Reason.GRADE, [told.pk])
    version = versioning.make_draft(benchmark=benchmark, by=admin)

    assert [one.problem for one in versioning.list_may_hide(version)] == problems[1:]


def test_small_hidden_part_is_not_published(problems, benchmark, admin, settings):
    settings.LEAST_HIDDEN_ITEMS = 3
    version = versioning.make_draft(benchmark=benchmark, by=admin)
    names = [one.identifier for one in problems[2:]]
    # It is ticked page by page, so a draft may have less than enough.
    versioning.edit(version=version, changes="", hidden=names, by=admin)
    with pytest.raises(CannotChange, match="at least 3 problems, and this one has 2"):
        versioning.publish(version=version, by=admin)


@pytest.mark.parametrize("person", ["evaluator", "admin"])
def test_pages_of_a_submission_say_nothing_of_hidden_answers(
    client: Client, batch, hidden, request, person
):
    client.force_login(request.getfixturevalue(person))
    grade(batch)
    submission = batch.submission
    names = [one.identifier for one in hidden]

    for address in (
        submission.get_absolute_url(),
        reverse_asked("grading:submission?as=csv", args=[submission.pk]),
        reverse_asked("grading:submission?as=jsonl", args=[submission.pk]),
        reverse("grading:submissions"),
        reverse("grading:hidden", args=[submission.pk]),
        reverse("board_csv", args=["test"]),
    ):
        text = client.get(address).getvalue().decode()
        assert not any(
            f">{name}<" in text or f'"id": "{name}"' in text or f"\n{name}," in text
            for name in names
        ), address
        assert ">100 %" not in text.partition("<footer")[0], address


def test_asking_by_the_page_tells_the_figure(client: Client, batch, evaluator):
    client.force_login(evaluator)
    page = reverse("grading:hidden", args=[batch.submission_id])
    assert "Not all of its answers are graded yet." in client.get(page).text
    grade(batch)
    assert "Request the figure" in client.get(page).text

    told = client.post(
        reverse_asked("grading:hidden?do=ask", args=[batch.submission_id]), follow=True
    )

    assert "100 %" in told.text
    assert f"{BUDGET - 1} of {BUDGET}" in told.text


def test_database_keeps_hidden_answers_and_what_was_told(batch, problems, evaluator):
    grade(batch)
    actions.ask(batch=batch, by=evaluator)
    answer = batch.answers.first()

    for change in (
        lambda: HiddenBatch.objects.filter(pk=batch.pk).update(figure=99),
        lambda: HiddenBatch.objects.filter(pk=batch.pk).delete(),
        lambda: HiddenAnswer.objects.filter(pk=answer.pk).update(response="other"),
        lambda: HiddenAnswer.objects.filter(pk=answer.pk).update(accuracy=0),
        lambda: HiddenAnswer.objects.filter(pk=answer.pk).delete(),
        lambda: HiddenAnswer.objects.create(
            batch=batch, revision=problems[0].accepted_revision, response="x"
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


# --- What is told beside the figure ---------------------------------------------------------


def test_an_answer_left_to_a_person_tells_nothing_of_its_value_and_counts_as_not_right(
    problems, hidden, benchmark, evaluator
):
    """Of `2\\boxed{…}` the grader says “for a person” only where the guess is right."""
    right, wrong = ({problems[0]: RIGHT, hidden[0]: f"2\\boxed{{{one}}}"} for one in (RIGHT, WRONG))
    made = [grade(hand_in(evaluator, benchmark, one).hidden) for one in (right, wrong)]
    assert [list(one.answers.values_list("status", "accuracy")) for one in made] == [
        [("GRADED", 0.0)]
    ] * 2


def test_what_failed_in_an_incomplete_batch_is_neither_counted_nor_tried_again(
    problems, hidden, benchmark, evaluator
):
    batch = hand_in(evaluator, benchmark, {problems[0]: RIGHT, hidden[0]: RIGHT}).hidden
    batch.answers.update(status="FAILED", failure_reason="worker_lost")
    address = reverse("grading:hidden", args=[batch.submission_id])
    client = Client()
    client.force_login(evaluator)
    assert "do=again" not in client.get(address).content.decode()
    client.post(reverse_asked("grading:hidden?do=again", args=[batch.submission_id]))
    assert batch.answers.get().status == "FAILED"


def test_answers_to_hidden_problems_are_within_the_limit_of_a_day(
    problems, hidden, benchmark, evaluator, settings
):
    settings.MOST_SAMPLES_A_DAY = 2
    rows = [{"id": hidden[0].identifier, "sample": n, "response": RIGHT} for n in range(3)]
    rows.append({"id": problems[0].identifier, "sample": 0, "response": RIGHT})
    content = json.dumps([{**one, "model": "A"} for one in rows]).encode()
    with pytest.raises(TooMany, match="at most 2 answers to one problem"):
        drafts.grade(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            uploaded_by=evaluator,
            content=content,
        )
