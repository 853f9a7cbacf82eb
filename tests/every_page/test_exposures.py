"""
What is shown on sending something, and in the back office, is written down.

What every page and file shows is in `test_walk.py`.
"""

from collections.abc import Iterator

import pytest
from django.contrib.admin import site
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from curation.problems.models import Revision
from curation.reviewing.rounds.solves.models import BlindSolve
from grading.disputes.contests.ruling import Decision
from grading.disputes.contests.ruling import rule as rule_on
from grading.disputes.keys.models import KeyCheck, KeyDecision
from grading.judging.judgements.models import JudgeCall
from grading.model_runs.trials.actions import identify
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.samples.labels.models import Ruling
from phybench.people.models import User
from tests.addresses import (
    BACK_OFFICE,
    PEOPLE,
    address_of,
    client_of,
)
from tests.every_page.shown import Part, find_shown, forget, list_recorded, read
from tests.grading.judging.judging import mark_graded
from tests.grading.judging.pairing import compare_both, hand_in_as

SENT = {
    "curation:export": {
        "format": "JSON",
        "columns": ["statement", "symbols"],
        "keys": ["answer", "solution"],
    },
    "curation:export?of=dataset": {"license_name": "other", "language": "en", "with_answers": "on"},
    "curation:review": {"do": "show"},
    "curation:review?do=solve": {"kind": "ANSWER", "answer": "m g h"},
    "curation:translation?part=preview": {"statement": "$m$", "solution": "$h$"},
    "curation:decide_report": {},
}
"""What shows texts to whoever sends something; each is sent and followed."""

IN_THE_BACK_OFFICE = {
    "admin:curation_revision_changelist",
    "admin:curation_revision_change",
    "admin:curation_problem_change",
    "admin:curation_certificate_changelist",
    "admin:curation_certificate_change",
    "admin:grading_grade_change",
}


@pytest.mark.django_db
@pytest.mark.parametrize("address_name", SENT)
def test_whatever_is_shown_to_who_sends_something_is_written_down(world, marks, address_name):
    shown_to = set()
    for name in PEOPLE:
        person = world.people[name]
        forget()
        address = address_of(address_name, world)
        response = client_of(person).post(address, SENT[address_name], follow=True)
        shown = find_shown(read(response), marks)
        assert shown - list_recorded(person) == set(), name
        if shown:
            shown_to.add(name)
    assert shown_to, "nobody was shown anything: this tests nothing"
    assert "visitor" not in shown_to


@pytest.mark.django_db
def test_whatever_the_back_office_shows_is_written_down(world, marks, admin):
    client = client_of(admin)
    showing = set()
    for name in BACK_OFFICE:
        if not name.endswith(("_changelist", "_change")):
            continue
        for address in list_back_office(name):
            forget()
            response = client.get(address)
            if response.status_code == 200 and (shown := find_shown(read(response), marks)):
                showing.add(name)
                assert shown - list_recorded(admin) == set(), address
    assert showing >= IN_THE_BACK_OFFICE


@pytest.fixture
def said(world, admin) -> dict[str, tuple[Model, Revision]]:
    """One row of each kind that says how an answer was taken, and the revision that it is to."""
    accepted = world.attempt.revision
    in_review = world.review_round.revision
    call = JudgeCall.objects.create(
        item=world.judge_item, round=1, judge="One", repeat=1, attempt=1, reply={"text": "Right."}
    )
    ruling = Ruling.objects.create(
        attempt=world.attempt, ruled_by=admin, choice="RIGHT", reason="Same by value."
    )
    contest = rule_on(
        contest=world.contest, by=admin, decision=Decision("GRADER", "It is so.", "RIGHT")
    )
    solve = BlindSolve.objects.create(
        round=world.review_round, reviewer=admin, kind="ANSWER", answer="m g h", outcome="AGREES"
    )
    Trial.objects.filter(pk=world.trial.pk).update(
        problem=world.accepted, text_sha256=identify(accepted)
    )
    asked = world.trial.answers.get()
    TrialAnswer.objects.filter(pk=asked.pk).update(
        replied_at=asked.queued_at, state="GRADED", verdict="CORRECT", eed=100
    )
    decision = KeyDecision.objects.create(
        key_check=world.key_check, choice="KEY_RIGHT", note="Right.", by=admin, last_grade=1
    )
    return {
        "grade": (world.attempt.grades.get(), accepted),
        "judgement": (world.judge_item.judgements.get(), accepted),
        "judgecall": (call, accepted),
        "ruling": (ruling, accepted),
        "contest": (contest, accepted),
        "override": (contest.override, accepted),
        "keycheck": (world.key_check, accepted),
        "keydecision": (decision, accepted),
        "trialanswer": (asked, accepted),
        "blindsolve": (solve, in_review),
    }


def tells_a_verdict(address: str, person: User, revision: Revision) -> bool:
    forget()
    assert client_of(person).get(address).status_code == 200
    return (revision.pk, Part.VERDICT) in list_recorded(person)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "on"),
    [
        *((kind, "list") for kind in ("grade", "judgement", "ruling", "keycheck", "trialanswer")),
        *((kind, "list") for kind in ("contest", "override", "keydecision", "blindsolve")),
        ("judgecall", "page"),
        *((kind, "page") for kind in ("grade", "judgement", "ruling", "keycheck", "trialanswer")),
        *((kind, "page") for kind in ("contest", "override", "keydecision", "blindsolve")),
    ],
)
def test_the_back_office_writes_down_how_answers_were_taken(said, admin, kind, on):
    """A verdict is a word on many pages, so no mark finds it: each kind of row is named here."""
    row, revision = said[kind]
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}"
    address = reverse(f"{name}_changelist")
    if on == "page":
        address = reverse(f"{name}_change", args=[row.pk])
    assert tells_a_verdict(address, admin, revision)


@pytest.mark.django_db
def test_counts_beside_filters_do_not_tell_who_was_right(said, admin):
    page = client_of(admin).get(reverse("admin:grading_grade_changelist"), {"_facets": "True"})
    assert page.context["cl"].add_facets is False


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["keys", "keys_csv", "key", "rulings_given", "rulings_given_csv"])
def test_lists_of_keys_in_doubt_and_of_rulings_write_down_how_answers_were_taken(
    world, said, admin, name
):
    KeyCheck.objects.update(doubts=["OTHER_LEADS"])
    arguments = [world.key_check.pk] if name == "key" else []
    address = reverse(f"grading:{name}", args=arguments)
    assert tells_a_verdict(address, admin, world.attempt.revision)


def list_back_office(name: str) -> Iterator[str]:
    if name.endswith("_changelist"):
        yield reverse(name)
        return
    models = {
        f"admin:{one._meta.app_label}_{one._meta.model_name}_change": one for one in site._registry
    }
    if name in models:
        for pk in models[name].objects.values_list("pk", flat=True)[:3]:
            yield reverse(name, args=[pk])


@pytest.mark.django_db
def test_a_trial_of_what_was_submitted_since_shows_that_revision(world, marks, admin):
    """Trials hold a copy of the text; here that of a revision which is submitted by now."""
    revision = Revision.objects.get(pk=world.accepted.accepted_revision_id)
    Trial.objects.filter(pk=world.trial.pk).update(
        problem=world.accepted,
        text_sha256=identify(revision),
        prompt=revision.statement,
        answer=revision.answer,
    )
    for address in (
        reverse("grading:trial_answer", args=[world.trial.pk, 1]),
        reverse("admin:grading_trial_change", args=[world.trial.pk]),
    ):
        forget()
        shown = find_shown(read(client_of(admin).get(address)), marks)
        assert shown
        assert shown <= list_recorded(admin)


@pytest.mark.django_db
def test_the_page_of_two_answers_compared_shows_their_problem_and_says_so(
    world, marks, evaluator, admin
):
    """A judgement of one answer has no statement on its page; that of a pair has."""
    other = hand_in_as(evaluator, "Another model", [(world.accepted, "g h")])
    mark_graded(other)
    run = compare_both(world.submission, other, world.endpoint)
    address = run.items.get(canary="").get_absolute_url()
    for person in (evaluator, admin):
        forget()
        shown = find_shown(read(client_of(person).get(address)), marks)
        assert {part for _revision, part in shown} >= {"STATEMENT"}
        assert shown <= list_recorded(person)
        assert not find_shown(read(client_of(person).get(run.get_absolute_url())), marks)


@pytest.mark.django_db
def test_drafts_are_nobodys_to_be_recorded(world, contributor):
    client = Client()
    client.force_login(contributor)
    forget()
    page = client.get(world.draft.get_absolute_url())
    assert "A ball of mass" in page.content.decode()
    assert list_recorded(contributor) == set()
