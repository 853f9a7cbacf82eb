"""Whose turn it is, what is tried again, and what is given up."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from curation.authoring.drafts import actions as drafts
from curation.problems.certificates.models import Certificate
from grading.answers import actions, grader
from grading.answers.models import Attempt
from grading.answers.tasks import GRADING
from phybench.work.kinds import Pool, claim_next
from phybench.work.leases import carry_out, lengthen
from phybench.work.models import Lost, Priority, settle_all
from phybench.work.tasks import work
from tests.conftest import make_draft
from tests.development.checkout import wait_until
from tests.grading.concurrency import hold
from tests.phybench.work.conftest import HandInMany
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
LOCK = "select 1 from grading_attempt where id = %s for update"


def claim_all(pool: Pool) -> list[object]:
    """Claim what is due in a pool until nothing is, and return it in that order."""
    claimed = []
    while (one := claim_next(pool)) is not None:
        claimed += one[1]
    return claimed


def fail_on_everything(error: Exception):
    def do(row: Attempt) -> None:
        raise error

    return replace(GRADING, do=do)


def test_what_a_person_waits_for_comes_first_and_of_the_same_the_older(
    hand_in_many: HandInMany, problems, participant
) -> None:
    bulk = list(hand_in_many(3).attempts.order_by("pk"))
    Attempt.objects.filter(pk=bulk[2].pk).update(queued_at=bulk[0].queued_at - timedelta(seconds=1))
    revision = problems[0].revisions.get()
    persons = actions.answer(revision=revision, person=participant, response="m g h")
    assert claim_all(Pool.GENERAL) == [persons, bulk[2], bulk[0], bulk[1]]


def test_the_reserved_process_takes_what_a_person_waits_for_and_nothing_else(
    hand_in_many: HandInMany, problems, participant, contributor, benchmark
) -> None:
    hand_in_many(3)
    assert claim_all(Pool.RESERVED) == []
    revision = problems[0].revisions.get()
    answer = actions.answer(revision=revision, person=participant, response="m g h")
    draft = make_draft(contributor, benchmark)
    Certificate.objects.filter(problem=draft).delete()
    certificate = drafts.certify_draft(problem=draft, author=contributor)
    assert claim_all(Pool.RESERVED) == [answer, certificate]


def test_other_pools_get_nothing_of_it(hand_in_many: HandInMany) -> None:
    hand_in_many(1)
    assert [claim_next(Pool.CALLS), claim_next(Pool.JUDGING)] == [None, None]


@pytest.mark.django_db(transaction=True)
def test_who_wants_any_row_does_not_wait_for_one_that_is_just_being_taken(
    hand_in_many: HandInMany,
) -> None:
    first, second = hand_in_many(2).attempts.order_by("pk")
    with hold(LOCK, first.pk):
        assert claim_next(Pool.GENERAL) == (GRADING, [second])
        assert claim_next(Pool.GENERAL) is None


@pytest.mark.django_db(transaction=True)
def test_one_message_is_enough_for_all_that_waits(hand_in_many: HandInMany, own_queues) -> None:
    submission = hand_in_many(4)
    work(Pool.GENERAL)
    # Those that are wrong are taken twice: for the verdict, and for the distance.
    assert set(submission.attempts.values_list("status", "lost")) == {("GRADED", 0)}


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_the_work_goes_on(hand_in_many: HandInMany, settings) -> None:
    settings.WORK_LEASE_SECONDS = 0.5
    hand_in_many(1)

    def outlast_the_first_lease(attempt: Attempt) -> None:
        first = attempt.lease_until
        assert first is not None
        assert wait_until(lambda: timezone.now() > first + timedelta(seconds=0.5))
        assert GRADING.claim() is None
        attempt.settle(status="FAILED", failure_reason="as the test says")

    claimed = GRADING.claim()
    assert claimed is not None
    carry_out(replace(GRADING, do=outlast_the_first_lease), [claimed])
    assert Attempt.objects.get().failure_reason == "as the test says"


def test_a_failure_of_ours_is_tried_again_with_a_delay_and_in_the_end_given_up(
    hand_in_many: HandInMany, settings
) -> None:
    hand_in_many(1)
    failing = fail_on_everything(ValueError("a mistake of ours"))
    for lost in range(settings.WORK_TRIES):
        claimed = failing.claim()
        assert claimed is not None
        carry_out(failing, [claimed])
        attempt = Attempt.objects.get()
        assert (attempt.status, attempt.lost, attempt.lease_until) == ("QUEUED", lost + 1, None)
        assert failing.claim() is None, "not at once"
        Attempt.objects.update(next_at=None)
    grade_attempt(attempt.pk)
    attempt = Attempt.objects.get()
    assert (attempt.status, attempt.failure_reason) == ("FAILED", "worker_lost")


def test_bulk_work_is_taken_together_but_not_what_somebody_waits_for_nor_what_was_lost(
    hand_in_many: HandInMany, problems, participant
) -> None:
    bulk = list(hand_in_many(4).attempts.order_by("pk"))
    Attempt.objects.filter(pk=bulk[1].pk).update(lost=1)
    revision = problems[0].revisions.get()
    persons = actions.answer(revision=revision, person=participant, response="m g h")
    soon = actions.answer(
        revision=problems[1].revisions.get(), person=participant, response="m g h"
    )
    Attempt.objects.filter(pk=soon.pk).update(priority=Priority.SOON)
    taken = []
    while (claimed := claim_next(Pool.GENERAL)) is not None:
        taken.append(claimed[1])
    assert taken == [[persons], [soon], [bulk[0], bulk[2], bulk[3]], [bulk[1]]]


def test_rows_whose_lease_ran_out_are_taken_one_by_one(hand_in_many: HandInMany) -> None:
    bulk = list(hand_in_many(3).attempts.order_by("pk"))
    assert GRADING.claim_some() == bulk
    assert GRADING.claim_some() == []
    Attempt.objects.update(lease_until=timezone.now())
    assert [GRADING.claim_some() for _row in bulk] == [[one] for one in bulk]
    assert set(Attempt.objects.values_list("lost", "tries")) == {(1, 2)}


def test_one_that_takes_its_batch_along_is_given_up_alone(
    hand_in_many: HandInMany, settings
) -> None:
    bad, *others = hand_in_many(3).attempts.order_by("pk")

    def do_many(rows: Sequence[Attempt]) -> None:
        if bad in rows:
            raise ValueError("a mistake of ours")
        grader.grade_all(rows)

    failing = replace(GRADING, do=lambda row: do_many([row]), do_many=do_many)
    for _time in range(1 + settings.WORK_TRIES):
        while rows := failing.claim_some():
            carry_out(failing, rows)
        Attempt.objects.update(next_at=None)
    found = dict(Attempt.objects.values_list("pk", "status"))
    assert found == {bad.pk: "FAILED", **{one.pk: "GRADED" for one in others}}


def test_the_leases_of_a_batch_are_renewed_but_not_of_what_was_settled_or_taken_over(
    hand_in_many: HandInMany,
) -> None:
    hand_in_many(3)
    ours = GRADING.claim_some()
    settled, taken, left = ours
    settled.settle(status="FAILED", failure_reason="as the test says")
    past = timezone.now() - timedelta(seconds=1)
    Attempt.objects.filter(pk__in=[taken.pk, left.pk]).update(lease_until=past)
    assert GRADING.claim(taken.pk)
    before = Attempt.objects.get(pk=taken.pk).lease_until
    lengthen(ours)
    found = Attempt.objects.in_bulk()
    assert found[settled.pk].lease_until is None
    assert found[taken.pk].lease_until == before
    assert found[left.pk].lease_until > timezone.now()
    assert settle_all(ours, status="QUEUED") == [left]


def test_an_error_of_the_database_that_answers_counts_like_any_other(
    hand_in_many: HandInMany,
) -> None:
    hand_in_many(1)
    failing = fail_on_everything(OperationalError("too much for one row"))
    claimed = failing.claim()
    assert claimed is not None
    carry_out(failing, [claimed])
    assert Attempt.objects.get().lost == 1


def test_who_was_overtaken_is_no_failure_and_changes_nothing(hand_in_many: HandInMany) -> None:
    hand_in_many(1)
    slow = GRADING.claim()
    assert slow is not None
    Attempt.objects.update(lease_until=timezone.now())
    quick = GRADING.claim()
    assert quick is not None
    before = Attempt.objects.values().get()
    with pytest.raises(Lost):
        slow.keep(lost=7)
    carry_out(GRADING, [slow])
    assert Attempt.objects.values().get() == before
    assert (quick.tries, quick.lost) == (2, 1)
    carry_out(GRADING, [quick])
    assert Attempt.objects.get().status == "GRADED"


def test_a_kind_may_have_its_rows_take_turns(hand_in_many: HandInMany) -> None:
    last = hand_in_many(3).attempts.latest("pk")
    backwards = replace(GRADING, narrow=lambda due: due.order_by("-pk"))
    assert backwards.claim() == last
