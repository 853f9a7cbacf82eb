"""Certificates: made in the real sandbox, kept as evidence, needed to submit."""

import dataclasses

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.problems.certificates import actions as certifying
from curation.problems.certificates.models import Certificate
from curation.problems.certificates.tasks import CERTIFYING
from curation.problems.models import Problem
from curation.texts.records import CONFIRMATION
from curation.texts.references.reference import Reference
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow, Status
from development import web
from phybench.work.leases import hold
from phybench.work.models import Lost
from phybench_grader import GRADER_VERSION
from phybench_grader.numbers.sentences import Sentence
from tests.certificates import declare, give_certificate
from tests.conftest import make_draft
from tests.development.checkout import wait_until
from tests.phybench.runaways import SLOW_TO_SIMPLIFY
from tests.work import make_certificate

pytestmark = pytest.mark.django_db
ANSWER = "2 m g h"


@pytest.fixture
def uncertified(contributor, benchmark) -> Problem:
    problem = make_draft(contributor, benchmark, answer=" ")
    saved = problem.revisions.get().saved_at.isoformat()
    actions.save_draft(problem=problem, author=contributor, saved_at=saved, answer=ANSWER)
    return problem


@pytest.fixture
def queued(uncertified, contributor) -> Certificate:
    return actions.certify_draft(problem=uncertified, author=contributor)


def begin(certificate: Certificate) -> Certificate:
    claimed = CERTIFYING.claim(certificate.pk)
    assert claimed is not None
    return claimed


def stop_at(number: int):
    def watch(done: int, total: int) -> None:
        if done == number:
            raise KeyboardInterrupt

    return watch


def leave_last_open(certificate: Certificate, settings) -> Certificate:
    """Try two cases: one that is told at once, and one that meets its deadline."""
    rows = [
        {"kind": "as_written", "text": ANSWER, "expected": "ACCEPTED", "outcome": ""},
        {"kind": "must_reject", "text": SLOW_TO_SIMPLIFY, "expected": "REJECTED", "outcome": ""},
    ]
    Certificate.objects.filter(pk=certificate.pk).update(rows=rows)
    usual = settings.CERTIFYING_DEADLINE_SECONDS

    def hurry(done: int, total: int) -> None:
        settings.CERTIFYING_DEADLINE_SECONDS = 0.5 if done == 1 else usual

    certifying.run(begin(certificate), hurry)
    settings.CERTIFYING_DEADLINE_SECONDS = usual
    certificate.refresh_from_db()
    return certificate


def fail(problem: Problem, answer: str = ANSWER, version: str = GRADER_VERSION) -> Certificate:
    """Store what a grader with a mistake leaves."""
    row = {"kind": "dfrac", "text": r"2m\,gh", "expected": "ACCEPTED", "outcome": "FAILED"}
    certificate = certifying.begin(problem, dataclasses.replace(declare(problem), answer=answer))
    Certificate.objects.filter(pk=certificate.pk).update(
        grader_version=version,
        rows=[{**row, "reason": "", "message": "", "eed": 40.0, "seconds": 0.1}],
        failed=1,
        outcome="FAILED",
        finished_at=certificate.queued_at,
    )
    certificate.refresh_from_db()
    return certificate


# --- Making them ----------------------------------------------------------------------------


def test_the_worker_tries_every_case_and_keeps_what_came_of_it(queued):
    make_certificate(queued.pk)
    queued.refresh_from_db()
    assert (queued.outcome, queued.answer, queued.grader_version) == (
        "PASSED",
        ANSWER,
        GRADER_VERSION,
    )
    assert queued.passed == len(queued.rows) > 10
    first = queued.rows[0]
    assert (first["kind"], first["text"], first["expected"]) == ("as_written", ANSWER, "ACCEPTED")
    assert (first["outcome"], first["eed"]) == ("PASSED", 100)
    rejected = [row for row in queued.rows if row["expected"] == "REJECTED"]
    assert rejected
    # With a symbol that nobody knows a person would decide: that is not accepted either.
    assert all(row["eed"] is None or row["eed"] < 100 for row in rejected)


def test_doing_it_twice_changes_nothing(queued):
    make_certificate(queued.pk)
    before = Certificate.objects.values().get()
    make_certificate(queued.pk)
    assert Certificate.objects.values().get() == before


def test_asking_twice_queues_one(queued, uncertified, contributor):
    assert actions.certify_draft(problem=uncertified, author=contributor, again=True) == queued


def test_what_was_tried_before_a_worker_was_stopped_is_not_tried_again(queued):
    claimed = begin(queued)
    with pytest.raises(KeyboardInterrupt), hold(CERTIFYING, [claimed]):
        certifying.run(claimed, stop_at(3))
    queued.refresh_from_db()
    assert (queued.tried, queued.is_finished, queued.lease_until) == (3, False, None)
    tried = queued.rows[:3]

    make_certificate(queued.pk)
    queued.refresh_from_db()
    assert (queued.outcome, queued.tries) == ("PASSED", 2)
    assert queued.rows[:3] == tried


def test_of_two_workers_only_the_one_that_holds_it_writes(queued):
    first = begin(queued)
    assert CERTIFYING.claim(queued.pk) is None
    Certificate.objects.update(lease_until=first.queued_at)
    second = begin(queued)
    with pytest.raises(Lost):
        certifying.run(first)
    certifying.run(second)
    assert Certificate.objects.get().outcome == "PASSED"


def test_a_case_that_meets_the_deadline_could_not_be_told(queued, settings):
    certificate = leave_last_open(queued, settings)
    assert (certificate.outcome, certificate.passed, certificate.open) == ("OPEN", 1, 1)
    last = certificate.rows[-1]
    assert (last["outcome"], last["reason"], last["eed"]) == ("OPEN", "timeout", None)


def test_a_certificate_that_takes_worker_after_worker_with_it_ends_open(queued, settings):
    Certificate.objects.update(lost=settings.WORK_TRIES)
    make_certificate(queued.pk)
    queued.refresh_from_db()
    assert (queued.outcome, queued.reason) == ("OPEN", "worker_lost")


def test_one_begun_by_an_older_grader_is_not_finished_by_this_one(queued):
    Certificate.objects.update(grader_version="0.1")
    make_certificate(queued.pk)
    queued.refresh_from_db()
    assert (queued.outcome, queued.reason) == ("OPEN", "grader_changed")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_real_workers_make_it_even_if_one_was_killed_over_it(
    uncertified, contributor, draft, processes
):
    Certificate.objects.filter(problem=draft).delete()
    lost = begin(certifying.begin(draft, Reference("m g h")))
    Certificate.objects.filter(pk=lost.pk).update(lease_until=lost.queued_at)
    actions.certify_draft(problem=uncertified, author=contributor)
    processes.start(web.worker)
    processes.start(web.beat, WORK_SWEEP_SECONDS="0.5")
    assert wait_until(lambda: Certificate.objects.filter(outcome="PASSED").count() == 2)
    assert not CERTIFYING.list_due().exists()


# --- Kept as evidence -----------------------------------------------------------------------


def test_a_finished_certificate_can_not_be_changed_even_past_the_model(accepted_problem):
    certificates = Certificate.objects.filter(problem=accepted_problem)
    with pytest.raises(DatabaseError), transaction.atomic():
        certificates.update(outcome="FAILED")
    with pytest.raises(DatabaseError), transaction.atomic():
        certificates._raw_delete(certificates.db)
    assert certificates.get().outcome == "PASSED"


# --- Needed to submit -----------------------------------------------------------------------


def test_an_answer_is_not_submitted_before_it_is_certified(uncertified, contributor):
    with pytest.raises(actions.NotCertified, match="not checked yet"):
        actions.submit(problem=uncertified, author=contributor)
    queued = actions.certify_draft(problem=uncertified, author=contributor)
    with pytest.raises(actions.NotCertified, match="not checked yet"):
        actions.submit(problem=uncertified, author=contributor)
    make_certificate(queued.pk)
    actions.submit(problem=uncertified, author=contributor)
    message = uncertified.events.get(kind="SUBMIT").message
    assert "variants of the answer correctly" in translate(message)


def test_a_certificate_is_of_one_text_and_one_grader(draft, contributor):
    [saved] = draft.revisions.values_list("saved_at", flat=True)
    actions.save_draft(
        problem=draft, author=contributor, saved_at=saved.isoformat(), answer="g h m"
    )
    with pytest.raises(actions.NotCertified):
        actions.submit(problem=draft, author=contributor)
    fail(draft, "g h m", version="0.1")
    with pytest.raises(actions.NotCertified, match="not checked yet"):
        actions.submit(problem=draft, author=contributor)


def test_a_failed_case_blocks_whatever_the_author_confirms(uncertified, contributor):
    failed = fail(uncertified)
    with pytest.raises(actions.NotCertified, match="does not grade this answer"):
        actions.submit(problem=uncertified, author=contributor, confirmed=failed.pk)
    assert actions.certify_draft(problem=uncertified, author=contributor, again=True) == failed


def test_open_cases_need_the_authors_word_which_the_history_keeps(
    queued, uncertified, contributor, settings
):
    certificate = leave_last_open(queued, settings)
    for confirmed in (None, certificate.pk + 1):
        with pytest.raises(actions.NotCertified, match="confirm"):
            actions.submit(problem=uncertified, author=contributor, confirmed=confirmed)
    actions.submit(problem=uncertified, author=contributor, confirmed=certificate.pk)
    message = uncertified.events.get(kind="SUBMIT").message
    assert translate(message).endswith(f"The author confirmed the rest: “{CONFIRMATION}”")


def test_what_could_not_be_told_can_be_tried_again(queued, uncertified, contributor, settings):
    leave_last_open(queued, settings)
    again = actions.certify_draft(problem=uncertified, author=contributor, again=True)
    assert again != queued
    make_certificate(again.pk)
    actions.submit(problem=uncertified, author=contributor)


def test_what_is_made_in_bulk_says_that_it_is_not_certified(uncertified, contributor):
    actions.submit(problem=uncertified, author=contributor, needs_certificate=False)
    assert uncertified.events.get(kind="SUBMIT").message == Sentence("not_certified")


def test_only_its_author_has_a_draft_certified(draft, reviewer):
    with pytest.raises(NotAllowedNow):
        actions.certify_draft(problem=draft, author=reviewer)


# --- The pages ------------------------------------------------------------------------------


def test_the_editor_asks_until_it_is_done(client, queued, contributor):
    client.force_login(contributor)
    address = reverse("curation:edit", args=[queued.problem_id]) + "?part=certificate"
    waiting = client.get(address).content.decode()
    assert f'hx-get="{address}"' in waiting

    make_certificate(queued.pk)
    done = client.get(reverse("curation:edit", args=[queued.problem_id])).content.decode()
    assert address not in done
    assert "variants of this answer correctly" in done


def test_the_editor_says_what_failed_and_nothing_is_submitted(client, uncertified, contributor):
    fail(uncertified)
    client.force_login(contributor)
    page = client.post(reverse("curation:submit", args=[uncertified.pk]), follow=True)
    text = page.content.decode()
    assert r"2m\,gh" in text
    assert "failed" in text
    uncertified.refresh_from_db()
    assert uncertified.status == Status.DRAFT


def test_open_cases_are_confirmed_on_the_page(client, queued, uncertified, contributor, settings):
    certificate = leave_last_open(queued, settings)
    client.force_login(contributor)
    address = reverse("curation:submit", args=[uncertified.pk])
    refused = client.post(address, follow=True).content.decode()
    assert CONFIRMATION in refused
    client.post(address, {"confirmed": str(certificate.pk)})
    uncertified.refresh_from_db()
    assert uncertified.status == Status.IN_REVIEW


def test_a_reviewer_sees_the_certificate_or_that_there_is_none(
    client, draft, uncertified, contributor, reviewer
):
    certified = actions.submit(problem=draft, author=contributor)
    bulk = actions.submit(problem=uncertified, author=contributor, needs_certificate=False)
    client.force_login(reviewer)
    page = client.get(reverse("curation:review", args=[certified.pk])).content.decode()
    assert "As written:" in page
    page = client.get(reverse("curation:review", args=[bulk.pk])).content.decode()
    assert "Not checked yet by the current grader" in page


def test_pages_take_as_many_queries_for_three_certificates_as_for_one(
    client, draft, contributor, reviewer, django_assert_num_queries
):
    review_round = actions.submit(problem=draft, author=contributor)
    client.force_login(reviewer)
    address = reverse("curation:review", args=[review_round.pk])
    client.get(address)
    with django_assert_num_queries(33):
        client.get(address)
    for _ in range(2):
        fail(draft, "m g h")
    with django_assert_num_queries(33):
        client.get(address)


def test_a_draft_is_deleted_with_its_certificate(draft, contributor):
    give_certificate(draft)
    actions.delete_draft(problem=draft, author=contributor)
    assert not Certificate.objects.exists()
