"""What is left of a day's limits, and when there is more."""

from datetime import UTC, datetime, timedelta

import pgtrigger
import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from grading.answers.submissions.models import Submission
from grading.submissions.drafts.submitting import TooMany
from grading.submissions.quota import Limit, measure_quota
from phybench.people.models import Role
from tests import drafts
from tests.conftest import make_person
from tests.grading.conftest import make_file
from tests.grading.submissions.test_publication import give, hand_in_rows
from tests.organisations import join, organisation_of

NOON = datetime(2026, 11, 23, 12, 0, 30, tzinfo=UTC)


def at(hour: int) -> datetime:
    return NOON + timedelta(hours=hour)


def round_up(moment: datetime) -> datetime:
    return (moment + timedelta(minutes=1)).replace(second=0, microsecond=0)


@pytest.mark.parametrize(
    ("uses", "left", "next_at"),
    [
        ([], 3, None),
        ([[]], 3, None),
        ([[(at(0), 1)]], 2, at(24)),
        ([[(at(0), 1), (at(1), 1), (at(2), 1)]], 0, at(24)),
        # More than there may be, since the limit was lowered: one has to wait for two.
        ([[(at(0), 1), (at(1), 1), (at(2), 1), (at(3), 1)]], 0, at(25)),
        # Of two problems with as many answers, more is left once both have fewer.
        ([[(at(0), 2)], [(at(1), 2)], [(at(2), 1)]], 1, at(25)),
        ([[(at(0), 1), (at(3), 1)], [(at(1), 1)]], 1, at(24)),
    ],
)
def test_what_is_left_and_when_there_is_more(uses, left, next_at):
    limit = Limit(3, uses)
    assert (limit.left, limit.next_at) == (left, next_at and round_up(next_at))


def move_back(submission: Submission, hours: int) -> datetime:
    with pgtrigger.ignore("grading.Submission:submission_is_only_published_and_withdrawn"):
        submission.created_at = timezone.now() - timedelta(hours=hours)
        submission.save()
    return submission.created_at


@pytest.mark.django_db
def test_submissions_and_answers_to_one_problem_are_counted_apart(problems, benchmark, evaluator):
    [first] = hand_in_rows(
        [give(problems[0], "1"), give(problems[1], "1"), give(problems[1], "2", 1)],
        benchmark,
        evaluator,
    )
    earlier = move_back(first, 5)
    hand_in_rows([give(problems[0], "2"), give(problems[0], "3", 1)], benchmark, evaluator)
    quota = measure_quota(organisation_of(evaluator), evaluator)
    assert (quota.submissions.used, quota.samples.used) == (2, 3)
    free_at = round_up(earlier + timedelta(days=1))
    assert quota.submissions.next_at == quota.samples.next_at == free_at


@pytest.mark.django_db
def test_who_is_refused_is_told_when_there_is_room(problems, benchmark, evaluator, settings):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 2, 0
    first, second = (
        hand_in_rows([give(problems[0], name, model=name)], benchmark, evaluator)[0]
        for name in "AB"
    )
    for models, handed_in_at in (("C", move_back(first, 5)), ("CD", move_back(second, 3))):
        rows = [give(problems[0], "x", model=name) for name in models]
        with pytest.raises(TooMany) as refused, transaction.atomic():
            hand_in_rows(rows, benchmark, evaluator)
        free_at = date_format(round_up(handed_in_at + timedelta(days=1)), "DATETIME_FORMAT")
        assert f"You can submit all of it from {free_at} UTC." in str(refused.value)
    rows = [give(problems[0], "x", model=name) for name in "CDE"]
    with pytest.raises(TooMany) as refused, transaction.atomic():
        hand_in_rows(rows, benchmark, evaluator)
    assert "You can submit" not in str(refused.value)


@pytest.mark.django_db
def test_a_person_s_first_uploads_are_never_refused_for_a_number(
    problems, benchmark, evaluator, settings
):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 1, 2
    for name in "AB":
        hand_in_rows([give(problems[0], name, model=name)], benchmark, evaluator)
    with pytest.raises(TooMany), transaction.atomic():
        hand_in_rows([give(problems[0], "C", model="C")], benchmark, evaluator)
    other = make_person(Role.EVALUATOR, "other")
    join(organisation_of(evaluator), other)
    drafts.grade(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=other,
        file_name="answers.json",
        content=make_file((problems[0], "7"), model="D"),
    )
    assert measure_quota(organisation_of(evaluator), other).has_room(100)
    assert not measure_quota(organisation_of(evaluator), evaluator).has_room(1)


@pytest.mark.django_db
def test_what_is_submitted_to_the_demo_counts_nowhere(problems, benchmark, evaluator):
    hand_in_rows([give(problems[0], "1")], benchmark, evaluator)
    assert measure_quota(organisation_of(evaluator), evaluator).submissions.used == 1
    type(benchmark).objects.filter(pk=benchmark.pk).update(is_demo=True)
    quota = measure_quota(organisation_of(evaluator), evaluator)
    assert (quota.submissions.used, quota.samples.used) == (0, 0)
