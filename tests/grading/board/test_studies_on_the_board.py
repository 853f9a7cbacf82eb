"""Studies of people on the board: by their rules, with their clock, once nobody sits any more."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from grading.answers.models import Attempt
from grading.board.compare.effort import measure_people
from grading.board.scores.collecting import find_field, hash_state
from grading.board.scores.peoples import collect_peoples
from grading.board.scores.scope import Scope
from grading.board.table import make_board
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Session
from grading.studies.sessions.sync import Event, take
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.baselines.conftest import draft_study, pool, study, version
from tests.grading.sessions.conftest import practise, write
from tests.memory import remembered
from tests.tokens import Program, make_secret
from tests.work import grade_together

__all__ = ["draft_study", "pool", "study", "version"]

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "m g h", "2 m g h"


def sit(
    study: Study, name: str, *answers: str, shown: int = 60_000, is_failed: bool = False
) -> Session:
    person = make_person(Role.PARTICIPANT, name)
    # Long enough for what is said to be shown: no problem is shown longer than its session takes.
    begun = timezone.now() - timedelta(minutes=10)
    session = actions.start(participation=practise(study, person), seed=1, at=begun)
    for place, text in enumerate(answers, 1):
        write(session, place, text)
        sent = [Event(place, "SHOWN", shown, "", place)]
        take(session=session, person=person, tab="one", events=sent)
    actions.hand_in(session=session, person=person)
    given = Attempt.objects.filter(sat__session=session)
    if is_failed:
        given.filter(pk=given.earliest("pk").pk).update(
            status=Attempt.Status.FAILED, failure_reason="timeout"
        )
    grade_together(given.waiting())
    return session


@pytest.fixture
@remembered
def sat(study, admin) -> Study:
    """Five people, each with one right, one wrong and one empty answer; the study has ended."""
    Study.objects.update(most_people=99)
    for name in "abcde":
        sit(study, name, RIGHT, WRONG)
    studying.end_study(study=study, by=admin)
    return Study.objects.get()


def test_what_people_left_empty_counts_0(sat):
    [found] = make_board(Scope.of(sat.version)).studies
    assert (found.who.people, found.answers, found.ungraded) == (5, 15, 0)
    assert found.means["accuracy"].value == pytest.approx(100 / 3)


def test_with_an_answer_that_is_not_graded_a_mean_of_people_is_a_range_everywhere(
    client, study, admin, capsys
):
    Study.objects.update(most_people=99)
    for name in "abcdef":
        sit(study, name, RIGHT, WRONG, is_failed=name == "f")
    studying.end_study(study=study, by=admin)
    sat = Study.objects.get()
    low, high = 100 * 5 / 18, 100 * 6 / 18
    [found] = make_board(Scope.of(sat.version)).studies
    mean = found.means["accuracy"]
    assert (mean.value, mean.low, mean.high, found.of_a_person) == (None, None, None, {})
    assert (mean.range.low, mean.range.high) == pytest.approx((low, high))

    page = client.get(sat.version.benchmark.get_absolute_url()).text
    assert "One answer is not graded, so each mean is a range" in page
    assert 'data-label="Mean of all answers"><span class="nowrap">27.8–33.3</span>' in page
    number = sat.version.number
    path = f"/benchmarks/{sat.version.benchmark.slug}/versions/{number}/board"
    [told] = Program(make_secret(admin)).get(path).json()["studies"]
    assert told["accuracy"] == {"value": None, "low": None, "high": None, "count": 17}
    assert told["accuracy_range"] == {"low": pytest.approx(low), "high": pytest.approx(high)}

    call_command("leaderboard", "--json")
    line = json.loads(capsys.readouterr().out)
    assert (line["provisional"], line["accuracy"], line["accuracy_low"]) == ("yes", "", "")
    assert (line["accuracy_from"], line["accuracy_to"]) == ("27.78", "33.33")
    call_command("leaderboard")
    assert "27.8–33.3" in capsys.readouterr().out
    picture = client.get(reverse("board_picture", args=[sat.version.benchmark.slug])).text
    assert "range of the mean" in picture


def test_it_says_the_clock_and_the_time_that_people_took(sat):
    [found] = make_board(Scope.of(sat.version)).studies
    assert (found.who.study, found.problems, found.clock) == ("Students", 3, 60)
    assert found.minutes_a_problem == 1.0
    assert found.minutes_a_session is not None


def test_a_study_that_goes_on_tells_nothing(study, admin):
    sit(study, "a", RIGHT)
    scope = Scope.of(study.version)
    assert [one.study for one in collect_peoples(scope)] == [None]
    assert not collect_peoples(scope)[0].scores.count
    late = practise(study, make_person(Role.PARTICIPANT, "late"))
    session = actions.start(participation=late, seed=2)
    studying.end_study(study=study, by=admin)
    assert [one.study for one in collect_peoples(scope)] == [None]
    actions.hand_in(session=session, person=late.person)
    assert [one.study for one in collect_peoples(scope)] == [study, None]


def test_beside_a_model_people_have_the_time_that_a_problem_took_them(sat):
    effort = measure_people(collect_peoples(Scope.of(sat.version))[0])
    assert (effort.answers, effort.with_latency, effort.latency) == (15, 10, 60.0)


def test_whom_a_rule_leaves_out_does_not_count_here_either(sat, admin):
    left = sat.participations.first()
    actions.leave_out(participation=left, by=admin, why="Asked a friend.")
    [of_study, _without] = collect_peoples(Scope.of(sat.version))
    assert of_study.scores.count == 4
    assert not make_board(Scope.of(sat.version)).studies


def test_the_page_and_the_file_have_a_line_for_the_study(client, sat):
    page = client.get(reverse("board_of", args=[sat.version.benchmark.slug])).content.decode()
    assert "5 people, 3 problems each in 60 minutes" in page
    file = client.get(reverse("board_csv", args=[sat.version.benchmark.slug])).content.decode()
    [line] = [one for one in csv.DictReader(io.StringIO(file)) if one["kind"] == "people"]
    assert (line["solver"], line["people"], line["clock_minutes"]) == ("Students", "5", "60")
    assert line["minutes_a_problem"] == "1.0"


def test_the_board_is_worked_out_anew_once_a_study_has_ended(client, study, admin):
    scope = Scope.of(study.version)
    sit(study, "a", RIGHT)
    before = hash_state(scope, find_field(scope))
    sit(study, "b", RIGHT)
    assert hash_state(scope, find_field(scope)) == before
    Study.objects.update(ended_at=timezone.now(), ended_by=admin)
    assert hash_state(scope, find_field(scope)) != before
