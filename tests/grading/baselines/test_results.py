"""The results of a study: what counts, whom its rules leave out, and what would tell of few."""

import csv
import io
import math
from datetime import timedelta

import pgtrigger
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.answers.models import Attempt
from grading.board.baselines.checklist.filling import build
from grading.board.baselines.facts import collect_facts
from grading.studies.baselines.results import collect, number_people
from grading.studies.models import Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Save, Session
from grading.studies.sessions.sync import Event, take
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.sessions.conftest import practise, write
from tests.work import grade_together

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "m g h", "2 m g h"


def sit(study: Study, name: str, *answers: str) -> Session:
    """Have somebody sit a session: "" leaves a problem empty."""
    person = make_person(Role.PARTICIPANT, name)
    session = actions.start(participation=practise(study, person), seed=1)
    for place, text in enumerate(answers, 1):
        if text:
            write(session, place, text)
    return session


def end(session: Session) -> None:
    person = session.participation.person
    assert person
    actions.hand_in(session=session, person=person)
    grade_together(Attempt.objects.filter(sat__session=session))


@pytest.fixture
def studied(study: Study) -> Study:
    Study.objects.update(most_people=99)
    study.refresh_from_db()
    return study


def test_what_is_empty_or_given_up_counts_nothing_and_what_was_seen_does_not_count(studied):
    session = sit(studied, "a", RIGHT)
    person = session.participation.person
    actions.give_up(item=session.items.get(place=2), person=person, why="Too long.")
    actions.say_seen(item=session.items.get(place=3), person=person)
    end(session)
    found = collect(studied)
    assert [row.accuracy for row in found.rows] == [100, 0]
    assert found.headline.accuracy.value == 50
    assert found.outcomes == {"ANSWERED": 1, "EMPTY": 0, "GAVE_UP": 1, "SEEN": 1}


def test_with_what_we_could_not_grade_a_mean_is_a_range(studied):
    session = sit(studied, "a", RIGHT, RIGHT, RIGHT)
    actions.hand_in(session=session, person=session.participation.person)
    grade_together(Attempt.objects.filter(sat__place__gt=1))
    found = collect(studied)
    assert (found.headline.accuracy.value, found.headline.accuracy.low) == (None, None)
    assert found.headline.accuracy.say() == "66.7–100.0"
    assert (found.headline.accuracy.answers, found.headline.accuracy.ungraded) == (2, 1)


def test_each_rule_is_shown_by_itself_and_all_of_them_make_the_headline(studied):
    Study.objects.update(rules={"STOPPED": 1, "NO_ANSWER": 1})
    studied.refresh_from_db()
    end(sit(studied, "whole", RIGHT, RIGHT, RIGHT))
    end(sit(studied, "stopped", RIGHT, WRONG))
    end(sit(studied, "empty"))
    found = collect(studied)
    assert found.all_people.people == 3
    assert found.headline.people == 1
    assert found.headline.accuracy.value == 100
    by_label = {one.label: (one.left_out, one.figures.people) for one in found.rules}
    assert by_label == {
        Study.Rule.STOPPED.label: (2, 1),
        Study.Rule.NO_ANSWER.label: (1, 2),
        Study.Rule.BY_HAND.label: (0, 3),
    }


def test_whom_an_admin_leaves_out_is_in_one_count_and_not_in_the_other(studied, admin):
    left = sit(studied, "left", WRONG, WRONG, WRONG)
    end(left)
    end(sit(studied, "kept", RIGHT, RIGHT, RIGHT))
    actions.leave_out(participation=left.participation, by=admin, why="Asked a friend.")
    found = collect(studied)
    assert (found.all_people.people, found.headline.people) == (2, 1)
    assert found.flow["left_out"] == 1


def test_who_still_sits_is_in_no_figure(studied):
    sit(studied, "a", RIGHT)
    found = collect(studied)
    assert found.rows == []
    assert (found.flow["started"], found.flow["finished"]) == (1, 0)


def test_figures_of_few_people_are_not_shown(client, studied, admin):
    for name in ("a", "b"):
        end(sit(studied, name, RIGHT, RIGHT, RIGHT))
    client.force_login(admin)
    page = client.get(reverse("grading:study_results", args=[studied.pk])).content.decode()
    assert "too few people to show" in page


def test_the_file_has_neither_names_nor_the_order_of_joining(client, studied, admin):
    sessions = [sit(studied, name, RIGHT, WRONG) for name in "abcdef"]
    for session in sessions:
        end(session)
    client.force_login(admin)
    file = client.get(reverse("grading:study_results_csv", args=[studied.pk])).content.decode()
    lines = list(csv.DictReader(io.StringIO(file)))
    assert len(lines) == 18
    assert [int(line["person"]) for line in lines] == [one // 3 + 1 for one in range(18)]
    assert [line["outcome"] for line in lines[:3]] == ["ANSWERED", "ANSWERED", "EMPTY"]
    # Each figure stands under its own heading, and none beside them.
    for line in lines:
        assert None not in line
        is_answered = line["outcome"] == "ANSWERED"
        assert bool(line["answered_after"]) == is_answered
        assert 0 <= float(line["answered_after"] or 0) <= float(line["session_seconds"])
    for session in sessions:
        assert session.participation.pseudonym not in file
        assert session.participation.person.email not in file


def test_who_knows_all_pseudonyms_does_not_know_the_numbers_of_a_file(studied, settings):
    for name in "abcdefgh":
        practise(studied, make_person(Role.PARTICIPANT, name))
    numbers = number_people(studied)
    assert sorted(numbers.values()) == list(range(1, 9))
    assert number_people(studied) == numbers
    # They hang on this site's secret, and not on pseudonyms and rows alone.
    others = []
    for secret in "abc":
        settings.SECRET_KEY = secret * 50
        others.append(number_people(studied))
    assert all(one != numbers for one in others)


def test_the_file_has_a_value_for_each_heading_and_times_in_whole_seconds(studied, client, admin):
    session = sit(studied, "a", RIGHT)
    with pgtrigger.ignore("grading.Save:save_stays"):
        Save.objects.update(arrived_at=session.started_at + timedelta(seconds=60.4))
    end(session)
    client.force_login(admin)
    page = client.get(reverse("grading:study_results_csv", args=[studied.pk])).content.decode()
    header, first, *_others = csv.reader(io.StringIO(page))
    assert len(first) == len(header)
    row = dict(zip(header, first, strict=True))
    assert (row["outcome"], row["answered_after"]) == ("ANSWERED", "60")
    assert row["session_seconds"].isdecimal()


def test_no_browser_says_that_a_problem_was_shown_longer_than_its_session_took(studied):
    session = sit(studied, "a", RIGHT)
    person = session.participation.person
    take(
        session=session,
        person=person,
        tab="one",
        events=[Event(1, "SHOWN", 2**31 - 1, "", moment) for moment in range(3)],
    )
    end(session)
    row = collect(studied).rows[0]
    assert row.seconds <= row.sat < 600


def test_a_rule_that_leaves_few_out_is_reported_in_whole_points(studied, admin):
    for name in "abcdef":
        end(sit(studied, name, RIGHT, WRONG))
    who = studied.participations.order_by("pk").last()
    actions.leave_out(participation=who, by=admin, why="Copied.")
    found = collect(studied)
    assert [one.is_exact for one in found.rules] == [True]
    assert not found.is_all_exact
    items = {one.number: one.answer for part in build(collect_facts(studied)) for one in part.items}
    everybody, headline, *_rules = items["4.6"].splitlines()
    assert "accuracy about 33; EED about" in everybody
    assert "accuracy 33.3 (" in headline


def test_an_answer_came_when_its_last_change_was_saved(studied):
    session = sit(studied, "a", RIGHT)
    with pgtrigger.ignore("grading.Save:save_stays"):
        Save.objects.update(arrived_at=session.started_at + timedelta(minutes=10))
    end(session)
    first, *others = collect(studied).rows
    assert first.answered_after == 600
    assert all(math.isnan(one.answered_after) for one in others)
    assert {row.of for row in (first, *others)} == {3}


def test_results_ask_as_often_for_three_people_as_for_one(client, studied, admin):
    client.force_login(admin)
    address = reverse("grading:study_results", args=[studied.pk])
    counts = []
    for name in ("a", "b", "c"):
        end(sit(studied, name, RIGHT, WRONG))
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        counts.append(len(asked))
    assert counts[0] == counts[2]
