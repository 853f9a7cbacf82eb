"""Before the first person starts an admin chooses what a study asks, and looks at a preview."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from curation.texts.workflow import NotAllowedNow
from curation.versions.actions import withdraw_item
from curation.versions.models import VersionItem
from grading.studies import actions
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions as sitting
from grading.studies.sessions.models import Session
from phybench_grader.statistics.power import Design, find_detectable
from tests.grading.sessions.conftest import (
    draft_study,
    other,
    pool,
    practise,
    session,
    study,
    version,
)

__all__ = ["draft_study", "other", "pool", "session", "study", "version"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def address(draft_study: Study, client, admin) -> str:
    client.force_login(admin)
    return reverse("grading:study_pool", args=[draft_study.pk])


def change(client, study: Study, do: str, query: str = "", **sent: object) -> None:
    address = reverse("grading:change_pool", args=[study.pk]) + query
    assert client.post(address, {"do": do, **sent}).status_code == 302


def test_ticked_problems_are_taken_out_and_put_in_again(client, address, draft_study):
    first, second = draft_study.items.values_list("item", flat=True)[:2]
    change(client, draft_study, "remove", item=[first, second])
    assert draft_study.items.count() == 4
    change(client, draft_study, "add", item=[first])
    assert draft_study.items.count() == 5


def test_what_no_button_sends_takes_nothing_out_of_the_pool(client, address, draft_study):
    change = reverse("grading:change_pool", args=[draft_study.pk])
    before = draft_study.items.count()
    assert client.post(change, {"all": "1"}).status_code == 400
    assert draft_study.items.count() == before


def test_all_that_a_filter_leaves_are_taken_also_those_on_other_pages(client, address, draft_study):
    change(client, draft_study, "remove", "?difficulty=OLYMPIAD", all="1")
    levels = draft_study.items.values_list("item__problem__difficulty", flat=True)
    assert set(levels) == {"UNDERGRADUATE"}
    page = client.get(address + "?pool=out").content.decode()
    assert page.count('name="item"') == 3


def test_what_is_no_problem_of_the_version_changes_nothing(client, address, draft_study):
    change(client, draft_study, "remove", item=["x", "999999"])
    assert draft_study.items.count() == 6


def test_what_a_study_detects_is_worked_out_anew_from_the_pool_that_it_has(
    client, address, draft_study, admin
):
    def detects(pool: int, people: int) -> float | None:
        return find_detectable(Design(people, draft_study.problems, pool))

    actions.change(study=draft_study, by=admin, fields={"most_people": 40})
    assert Study.objects.get().detectable == detects(6, 40)
    first = draft_study.items.values_list("item", flat=True)[0]
    change(client, draft_study, "remove", item=[first])
    assert Study.objects.get().detectable == detects(5, 40) != detects(6, 40)
    # And so says the page on which its plan is changed.
    planned = {
        "problems": 3, "most_people": 40, "expected_accuracy": 60, "person_correlation": 0.1,
        "problem_correlation": 0.2,
    }  # fmt: skip
    asked = reverse("grading:design", args=[draft_study.version_id])
    assert (
        f"{asked}?study={draft_study.pk}"
        in client.get(reverse("grading:edit_study", args=[draft_study.pk])).content.decode()
    )
    rows = client.post(f"{asked}?study={draft_study.pk}", planned).context["rows"]
    assert dict(rows)[40] == detects(5, 40)
    items = VersionItem.objects.filter(pk__in=draft_study.items.values("item")[:4])
    actions.choose_pool(study=draft_study, items=list(items), by=admin)
    # Of four problems there is no interval.
    assert Study.objects.get().detectable is None


def test_an_open_study_keeps_as_many_as_a_session_has(client, study, admin):
    client.force_login(admin)
    change(client, study, "remove", all="1")
    assert study.items.count() == 6


def test_once_somebody_has_started_the_pool_is_fixed(client, session, study, admin):
    client.force_login(admin)
    page = client.get(reverse("grading:study_pool", args=[study.pk])).content.decode()
    assert "its problems are fixed" in page
    assert 'name="item"' not in page
    with pytest.raises(NotAllowedNow):
        actions.change_pool(study=study, by=admin, items=VersionItem.objects.all(), is_in=False)


def test_only_who_runs_studies_changes_a_pool(draft_study, evaluator):
    items = VersionItem.objects.all()
    with pytest.raises(PermissionDenied):
        actions.change_pool(study=draft_study, by=evaluator, items=items, is_in=False)


def test_another_language_words_the_statements_anew(draft_study, admin):
    item = draft_study.items.first()
    revision = item.item.revision
    revision.translations.create(
        language="zh",
        statement="求速度。",
        checked_by=admin,
        checked_at=revision.submitted_at,
    )
    actions.change(study=draft_study, by=admin, fields={"language": "zh"})
    worded = Study.objects.get().items.get(item=item.item)
    assert worded.statement == "求速度。"


def test_a_problem_that_was_withdrawn_from_the_version_is_given_to_nobody(
    study, participant, admin
):
    item = study.items.first().item
    withdraw_item(item=item, by=admin, reason="It is wrong.")
    Study.objects.update(problems=5)
    session = sitting.start(participation=practise(Study.objects.get(), participant), seed=1)
    assert item.pk not in session.items.values_list("study_item__item", flat=True)


def test_the_page_asks_as_often_for_six_problems_as_for_one(client, address, draft_study):
    counts = []
    for query in ("?pool=in", "?domain=OPTICS&pool=in"):
        client.get(address + query)
        with CaptureQueriesContext(connection) as asked:
            client.get(address + query)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_preview_shows_what_people_see_and_keeps_nothing(client, draft_study, admin):
    Study.objects.update(attestation="No help of an AI.")
    client.force_login(admin)
    pages = {
        name: client.get(reverse(f"grading:preview_{name}", args=[draft_study.pk])).content.decode()
        for name in ("join", "practice", "session")
    }
    assert all("This is a preview. Nothing is saved." in page for page in pages.values())
    assert "No help of an AI." in pages["join"]
    # An admin takes no part: there is nothing to withdraw from, and no list of their own.
    for page in pages.values():
        assert reverse("grading:withdraw_from_study", args=[draft_study.pk]) not in page
        assert f'<p class="crumb"><a href="{reverse("grading:sittings")}"' not in page
    assert pages["session"].count('class="reading" id="problem-') == 3
    assert not Participation.objects.exists()
    assert not Session.objects.exists()
    assert Exposure.objects.filter(person=admin, part="STATEMENT", reason="READ").count() == 3
    item = draft_study.items.first()
    read = client.post(
        reverse("grading:read_as", args=[item.pk]) + "?of=preview", {"response": "m g h"}
    )
    assert "Read as" in read.content.decode()


def test_a_draft_is_deleted_and_what_was_opened_stays(client, draft_study, admin):
    client.force_login(admin)
    client.post(reverse("grading:delete_study", args=[draft_study.pk]))
    assert not Study.objects.exists()


def test_what_was_opened_is_not_deleted(client, study, admin):
    client.force_login(admin)
    client.post(reverse("grading:delete_study", args=[study.pk]))
    assert Study.objects.exists()


def test_a_0_is_an_answer(study, participant, client):
    Study.objects.update(questions=[{"ask": "Years of study?", "kind": "NUMBER"}])
    client.force_login(participant)
    address = reverse("grading:join", args=[study.pk])
    client.post(address, {"question_0": "0", "consents": "on"})
    assert Participation.objects.get().answers == {"Years of study?": "0.0"}
