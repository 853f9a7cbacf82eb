"""The filled checklist: every item is there, says what is known, and is safe as a file."""

import doctest
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from grading.board.baselines import asked
from grading.board.baselines.checklist import facts, files, sentences
from grading.board.baselines.checklist.files import escape, write_json, write_markdown
from grading.board.baselines.checklist.filling import build
from grading.board.baselines.checklist.sentences import NOT_REPORTED
from grading.board.baselines.facts import collect_facts
from grading.studies import actions as studying
from grading.studies.baselines import drawing
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.late import count_late
from grading.studies.sessions.models import Save
from tests.grading.baselines.test_results import RIGHT, WRONG, end, sit
from tests.grading.sessions.conftest import write

WEI = [
    *(f"0.{number}" for number in range(1, 11)),
    *("1.1", "1.2", "1.2.1", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.8.1", "1.9", "1.10"),
    *("2.1", "2.1.1", "2.2", "2.3", "2.3.1", "2.3.2", "2.4", "2.5", "2.6", "2.6.1", "2.6.2"),
    *("2.7", "2.7.1", "2.7.2", "2.7.2.1", "2.7.3", "2.7.3.1"),
    *("3.1", "3.1.1", "3.2", "3.2.1", "3.2.2", "3.3", "3.3.1", "3.3.2", "3.4", "3.4.1"),
    *("3.5", "3.5.1", "3.6"),
    *("4.1", "4.1.1", "4.2", "4.2.1", "4.3", "4.4", "4.5", "4.6"),
    *("5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.5", "5.2", "5.2.1", "5.2.2", "5.3", "5.4"),
]
"""Numbers of the items of the published checklist."""


@pytest.mark.parametrize("module", [asked, drawing, facts, files, sentences])
def test_examples_give_what_they_say(module):
    assert doctest.testmod(module).failed == 0


def fill(study: Study) -> dict[str, str]:
    study = Study.objects.select_related("version__benchmark").get(pk=study.pk)
    return {item.number: item.answer for part in build(collect_facts(study)) for item in part.items}


@pytest.fixture
def asking(study: Study) -> Study:
    """Return a study with room for many."""
    Study.objects.update(most_people=99, detectable=7.25)
    study.refresh_from_db()
    return study


@pytest.mark.django_db
def test_every_item_of_the_published_checklist_is_there(study):
    numbers = [one for one in fill(study) if not one.startswith("6.")]
    assert numbers == WEI


@pytest.mark.django_db
def test_what_nobody_wrote_down_is_not_reported(study):
    filled = fill(study)
    for number in ("0.2", "1.6", "1.9", "1.10", "2.1", "2.4", "2.7", "2.7.1", "3.5", "5.2", "6.2"):
        assert filled[number] == NOT_REPORTED, number


@pytest.mark.django_db
def test_what_only_the_report_needs_is_said_also_after_the_study_has_ended(client, study, admin):
    studying.end_study(study=study, by=admin)
    client.force_login(admin)
    address = reverse("grading:report_study", args=[study.pk])
    said = {
        "pilot": "Ten people first.", "ai_tools": "None.", "training_pay": "As the rest.",
        "bonus": "5 for each right answer.", "pay_alike": "Yes.", "paper": "https://example.org/p",
        "venue": "A journal", "data": "CLOSED", "data_where": "People did not consent to it.",
        "materials": "In the paper.", "code": "https://example.org/c",
    }  # fmt: skip
    assert client.post(address, said).status_code == 302
    filled = fill(study)
    assert [filled[one] for one in ("0.2", "0.4", "1.6", "2.6.2", "2.7.2", "2.7.3", "5.1.4")] == [
        *("https://example.org/p", "A journal", "Ten people first.", "As the rest."),
        *("5 for each right answer.", "Yes.", "None."),
    ]
    assert (filled["5.2"], filled["5.2.2"]) == ("No.", "People did not consent to it.")
    assert (filled["5.3"], filled["5.4"]) == ("In the paper.", "https://example.org/c")
    client.post(address, {**said, "data": "SUMS", "data_where": "In the paper."})
    filled = fill(study)
    assert filled["5.2"] == "Yes.\nIn the paper."
    assert filled["5.2.1"] == "No, only sums over people."
    # It is no deviation, and nothing else of the study changes.
    assert not study.deviations.exists()
    assert client.post(address, {**said, "data": "what"}).status_code == 200


@pytest.mark.django_db
def test_fields_of_the_study_and_its_preregistration_are_told(asking, admin):
    said = {
        "population": "Second-year students of physics.",
        "pay": "30 an hour.",
        "ethics": "Approved.",
        "authors_part": "NO",
        "allowed_aids": "Pen and paper.",
        "attestation": "No help of an AI.",
        "hypothesis": "People beat the model.",
    }
    Study.objects.update(**said)
    person = sit(asking, "a", RIGHT, WRONG)
    end(person)
    asking.refresh_from_db()
    studying.change(study=asking, by=admin, fields={"pay": "40 an hour."}, why="Too little.")
    actions.leave_out(participation=person.participation, by=admin, why="Asked a friend.")
    filled = fill(asking)
    assert filled["2.1"] == "Second-year students of physics."
    assert filled["2.7"] == "40 an hour."
    assert filled["1.9"] == "Approved."
    assert filled["2.4"] == "no"
    assert filled["3.5"] == "Pen and paper."
    assert "(1 of 1): No help of an AI." in filled["3.5.1"]
    assert filled["6.2"] == "People beat the model."
    assert asking.preregistration.sha256 in filled["1.10"]
    asking.refresh_from_db()
    assert f"{asking.detectable:.1f} points" in filled["1.8.1"]
    assert filled["6.1"].endswith("pay: Too little.")
    assert "By hand: Asked a friend." in filled["3.2.2"]
    assert asking.version.sha256 in filled["0.8"]


@pytest.mark.django_db
def test_rules_that_were_changed_later_are_not_called_fixed_beforehand(asking, admin):
    end(sit(asking, "a", RIGHT))
    assert "fixed before the first person started" in fill(asking)["3.2"]
    asking.refresh_from_db()
    studying.change(study=asking, by=admin, fields={"rules": {"SHORT": 9}}, why="Too quick.")
    assert "changed after the first person had started" in fill(asking)["3.2"]


@pytest.mark.django_db
def test_figures_are_told_with_their_intervals_and_by_each_rule(asking):
    for name in "abcdef":
        end(sit(asking, name, RIGHT, WRONG if name in "abc" else RIGHT))
    filled = fill(asking)
    assert re.search(r"Accuracy: 50\.0 % \(95 % interval [\d.]+ to [\d.]+\)", filled["4.2"])
    assert "upper quartile" in filled["4.2.1"]
    assert "With everybody: 6 people" in filled["4.6"]
    assert "Only “left out by an admin, with a reason”: 6 people" in filled["4.6"]
    assert "from one place to the next" in filled["6.5"]
    assert "6 finished" in filled["5.1.5"]


@pytest.mark.django_db
def test_figures_of_few_people_are_not_told(asking):
    end(sit(asking, "a", RIGHT, WRONG))
    filled = fill(asking)
    assert "fewer than 5 people" in filled["4.2"]
    assert "fewer than 5 people" in filled["6.5"]
    assert "33.3" not in "".join(filled.values())


@pytest.mark.django_db
def test_late_saves_more_time_and_problems_seen_before_are_counted(asking, admin):
    session = sit(asking, "a", RIGHT)
    person = session.participation.person
    actions.extend(session=session, by=admin, minutes=10, why="Fire alarm.")
    actions.say_seen(item=session.items.get(place=3), person=person)
    end(session)
    write(session, 2, RIGHT, number=9)
    count_late(save=Save.objects.get(is_late=True), by=admin, why="Fire alarm, too.")
    filled = fill(asking)
    assert filled["6.3"] == "Times: 1. Minutes together: 10.\n- Fire alarm."
    assert filled["6.4"] == "Saves that came too late: 1. Of them count, each as a deviation: 1."
    assert filled["2.5"].endswith("that do not count: 1.")
    assert "late_answer: Fire alarm, too." in filled["6.1"]


@pytest.mark.django_db
def test_few_people_of_a_kind_are_not_told_apart(asking):
    asked_of = [{"ask": "Year?", "kind": "CHOICE", "choices": ["1", "2"]}, {"ask": "Name?"}]
    Study.objects.update(questions=asked_of)
    asking.refresh_from_db()
    for place, name in enumerate("abcdef"):
        end(sit(asking, name, RIGHT))
        Participation.objects.filter(person__email__startswith=name).update(
            answers={"Year?": "1" if place else "2", "Name?": "Secret Name"}
        )
    Participation.objects.update(answers={"Year?": "1", "Name?": "Secret Name"})
    last = Participation.objects.order_by("pk").last()
    Participation.objects.filter(pk=last.pk).update(answers={"Year?": "2", "Name?": "Other"})
    filled = fill(asking)
    assert filled["5.1.1"] == "- Year? 1: not told, 2: not told"
    assert "Secret Name" not in "".join(filled.values())


@pytest.mark.django_db
def test_it_is_in_english_on_a_page_in_any_language(study):
    with translation.override("zh-hans"):
        filled = fill(study)
    assert not re.search(r"[\u4e00-\u9fff]", "".join(filled.values()))


HOSTILE = "a | b\n| c | d |\n<script>x</script> [e](http://f) *g* `h` $i$ \u202e# j & k\r\n- l"


def test_no_text_breaks_out_of_its_cell():
    escaped = escape(HOSTILE)
    assert "\n" not in escaped
    assert "\r" not in escaped
    assert "\u202e" not in escaped
    assert not re.search(r"(?<!\\)[|*`\[\]$]", escaped)
    assert "<script" not in escaped
    assert escaped.count("<br>") == 3


@pytest.mark.django_db
def test_both_files_are_downloaded_and_hold_whatever_was_typed(client, admin, study):
    Study.objects.update(population=HOSTILE, title="Students | *all*")
    client.force_login(admin)
    said = client.get(reverse("grading:checklist_json", args=[study.pk]))
    read = json.loads(said.content)
    items = {item["number"]: item for part in read["parts"] for item in part["items"]}
    assert items["2.1"]["answer"] == HOSTILE
    assert items["2.7"] == {
        "number": "2.7",
        "question": "Whether people were paid",
        "answer": NOT_REPORTED,
        "is_reported": False,
    }
    file = client.get(reverse("grading:checklist_md", args=[study.pk]))
    assert file["Content-Disposition"].endswith('checklist.md"')
    rows = [line for line in file.content.decode().splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 4 for line in rows)
    assert len([line for line in rows if not line.startswith("| |")]) == len(items)
    page = client.get(reverse("grading:study_results", args=[study.pk])).content.decode()
    assert reverse("grading:checklist_md", args=[study.pk]) in page
    assert reverse("grading:checklist_json", args=[study.pk]) in page


@pytest.mark.django_db
def test_files_hold_no_name_address_or_pseudonym(client, admin, asking):
    sessions = [sit(asking, name, RIGHT) for name in "abcde"]
    for one in sessions:
        end(one)
    client.force_login(admin)
    file = client.get(reverse("grading:checklist_md", args=[asking.pk])).content.decode()
    for one in sessions:
        assert one.participation.pseudonym not in file
        assert one.participation.person.email not in file


@pytest.mark.django_db
def test_a_checklist_asks_as_often_for_three_people_as_for_one(client, asking, admin):
    client.force_login(admin)
    address = reverse("grading:checklist_json", args=[asking.pk])
    counts = []
    for name in ("a", "b", "c"):
        end(sit(asking, name, RIGHT))
        client.get(address)
        with CaptureQueriesContext(connection) as asked_for:
            client.get(address)
        counts.append(len(asked_for))
    assert counts[0] == counts[2]


def test_nothing_at_all_still_writes_a_file():
    assert write_markdown([], title="", made_at="2026-01-01").startswith("# Study of people")
    assert json.loads(write_json([], title="", made_at="2026-01-01"))["parts"] == []
