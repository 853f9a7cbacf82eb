"""How sound problems are: what errata and people say, who may say it, and who reads what."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from curation.problems.models import Problem
from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.board.items.actions import assess
from grading.board.items.models import ItemAssessment, Part, Soundness
from grading.board.items.soundness import find_doubts, find_states
from grading.disputes.keys.models import KeyCheck
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.errors import reports
from tests.versions import publish_version

pytestmark = pytest.mark.django_db
UNCERTAIN = {"part": "ANSWER", "soundness": "UNCERTAIN", "reason": "A factor may be lost."}


@pytest.fixture
def version(accepted_problem, benchmark) -> BenchmarkVersion:
    return publish_version(benchmark)


@pytest.fixture
def item(version) -> VersionItem:
    return version.items.get()


def address_of(item: VersionItem) -> str:
    return reverse("item", args=["test", item.pk])


def read(item: VersionItem) -> dict[str, str]:
    [states] = find_states([item.revision_id]).values()
    return {one.part.value: one.soundness.value for one in states}


SOUND = {"STATEMENT": "SOUND", "ANSWER": "SOUND", "SOLUTION": "SOUND"}


def test_the_newest_word_counts_and_all_of_them_stay(item, admin):
    assert read(item) == SOUND
    assess(revision=item.revision, by=admin, **UNCERTAIN)
    assert read(item) == {**SOUND, "ANSWER": "UNCERTAIN"}
    assess(revision=item.revision, by=admin, part="ANSWER", soundness="SOUND", reason="Checked.")
    assert read(item) == SOUND
    [states] = find_states([item.revision_id]).values()
    assert [one.reason for one in states[1].history] == ["Checked.", "A factor may be lost."]


def test_said_twice_it_is_one_word(item, admin):
    assess(revision=item.revision, by=admin, **UNCERTAIN)
    assess(revision=item.revision, by=admin, **UNCERTAIN)
    assert ItemAssessment.objects.count() == 1


def test_reviewers_of_the_problem_and_admins_may_say_it(item, reviewer, admin):
    assess(revision=item.revision, by=reviewer, **UNCERTAIN)
    other = make_person(Role.REVIEWER, "other-reviewer")
    with pytest.raises(PermissionDenied):
        assess(revision=item.revision, by=other, **UNCERTAIN)


def test_who_wrote_it_may_doubt_it_and_not_clear_it(item, contributor):
    contributor.roles = [Role.CONTRIBUTOR, Role.ADMIN]
    contributor.save()
    assess(revision=item.revision, by=contributor, **UNCERTAIN)
    with pytest.raises(NotAllowedNow, match="so you can’t decide this"):
        assess(
            revision=item.revision,
            by=contributor,
            part="ANSWER",
            soundness="SOUND",
            reason="It is right.",
        )


def test_the_database_keeps_every_word(item, admin):
    made = assess(revision=item.revision, by=admin, **UNCERTAIN)
    with pytest.raises(DatabaseError), transaction.atomic():
        ItemAssessment.objects.filter(pk=made.pk).update(reason="Nothing.")
    with pytest.raises(DatabaseError), transaction.atomic():
        made.delete()


def test_everybody_reads_the_list_of_uncertain_problems(client, item, admin):
    address = reverse("items", args=["test"]) + "?show=uncertain"
    assert "No problem is uncertain" in client.get(address).text
    assess(revision=item.revision, by=admin, **UNCERTAIN)
    assert "reference answer: uncertain" in client.get(address).text
    file = client.get(reverse("items_csv", args=["test"]) + "?show=uncertain").text
    assert "A factor may be lost." in file
    assert "A factor may be lost." in client.get(address_of(item)).text


def test_it_is_said_at_the_page_of_the_problem(item, admin, evaluator):
    client = Client()
    client.force_login(evaluator)
    assert "Assess a part" not in client.get(address_of(item)).text
    assert client.post(address_of(item), UNCERTAIN).status_code == 403
    assert Client().post(address_of(item), UNCERTAIN).status_code == 403
    client.force_login(admin)
    assert client.post(address_of(item), {**UNCERTAIN, "reason": ""}).status_code == 400
    assert client.post(address_of(item), UNCERTAIN, follow=True).status_code == 200
    assert read(item)["ANSWER"] == "UNCERTAIN"


def test_what_speaks_against_a_key_is_told_to_admins_alone(client, item, admin, reviewer):
    KeyCheck.objects.create(
        revision=item.revision, doubts=[KeyCheck.Doubt.OTHER_LEADS], last_grade=0
    )
    doubt = "more solvers agree on another answer"
    assert find_doubts(None, [item.revision_id]) == {}
    for person in (None, reviewer):
        if person:
            client.force_login(person)
        for address in (address_of(item), reverse("items", args=["test"])):
            assert doubt not in client.get(address).text
    client.force_login(admin)
    for address in (address_of(item), reverse("items", args=["test"])):
        assert doubt in client.get(address).text


def test_open_reports_are_told_to_who_may_read_them(
    client, item, accepted_problem: Problem, participant, evaluator, reviewer
):
    reports.report_error(accepted_problem, participant)
    told = {
        person: bool(find_doubts(person, [item.revision_id]))
        for person in (participant, evaluator, reviewer)
    }
    assert told == {participant: True, evaluator: False, reviewer: True}


def test_an_erratum_makes_the_text_uncertain_and_the_next_repaired(
    item, accepted_problem, participant, contributor, reviewer, admin
):
    report = reports.report_error(accepted_problem, participant)
    reports.decide(report, admin, "KEY_FIXED")
    fixed = reports.accept_correction(accepted_problem, contributor, reviewer)
    states = find_states([item.revision_id, fixed.pk])
    told = {pk: (one[1].part, one[1].soundness) for pk, one in states.items()}
    assert told == {
        item.revision_id: (Part.ANSWER, Soundness.UNCERTAIN),
        fixed.pk: (Part.ANSWER, Soundness.REPAIRED),
    }
    assert read(item) == {**SOUND, "ANSWER": "UNCERTAIN"}


def test_states_take_as_many_queries_for_any_problems(
    problems, benchmark, django_assert_num_queries
):
    version = publish_version(benchmark)
    revisions = list(version.items.values_list("revision", flat=True))
    for some in (revisions[:1], revisions[:3]):
        with django_assert_num_queries(2):
            find_states(some)
