"""The demo, and its studies: all that can happen in one, and one that a visitor can sit."""

import pytest
from django.db.models import Count, Max

from curation.problems.models import Problem, Revision
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.versions.permissions import list_to_answer
from grading.answers.models import Attempt, Solver
from grading.answers.permissions import list_own_answers
from grading.answers.submissions.models import Submission
from grading.board.baselines.checklist.filling import build
from grading.board.baselines.facts import collect_facts
from grading.demo import benchmark as demo
from grading.demo.simulated import SITTERS
from grading.studies.baselines.results import collect
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Save, Session, SessionItem
from grading.studies.sessions.permissions import list_problems_of_studies, list_studies_to_join
from phybench.people.models import Role, User
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

SAID = (
    "consent",
    "questions",
    "allowed_aids",
    "attestation",
    "pauses",
    "population",
    "recruitment",
)
REPORTED = ("pay", "ethics", "hypothesis", "exclusions", "rules", "analysis", "detectable")


CAME = set(Session.Ending)
"""How sessions end that have a clock."""


@pytest.fixture
@remembered
def made(db: None) -> Study:
    """The whole demo; the study that has ended."""
    demo.make("secret")
    return Study.objects.get(ended_at__isnull=False)


def test_the_real_demo_is_taken_whole_by_the_rules(made):
    problems = demo.read_problems(demo.PROBLEMS)
    assert Problem.objects.count() == len(problems) >= 30
    assert len({problem["domain"] for problem in problems}) == 6
    by_stage = [problem["stage"] for problem in problems]
    assert Problem.objects.accepted().count() == by_stage.count("accepted")
    assert Problem.objects.filter(status="DRAFT").count() == by_stage.count("draft") > 0
    assert Problem.objects.filter(revisions__number=2).count() >= 1
    certified = Revision.objects.exclude(must_accept=[]).exclude(must_reject=[])
    assert certified.values("problem").distinct().count() >= 4
    # One waits in each stage; of the last one, somebody has solved it blind.
    open_rounds = ReviewRound.objects.open()
    assert set(open_rounds.values_list("number", flat=True)) == {1, 2, 3}
    assert BlindSolve.objects.get().outcome == "AGREES"
    models = Submission.objects.annotate(most=Max("attempts__sample"))
    assert sorted(models.values_list("most", flat=True)) == [1, 1, 1, 1, 1, 4]
    # As many as a rank, and a distribution of people, need.
    assert Problem.objects.accepted().count() >= 30
    participants = User.objects.exclude(email__startswith="simulated")
    people = Solver.objects.filter(user__in=participants).annotate(given=Count("attempts"))
    assert [one.given >= 8 for one in people] == [True] * 6


def test_one_study_has_ended_and_says_all_that_a_report_asks_for(made):
    assert [bool(getattr(made, name)) for name in (*SAID, *REPORTED)] == [True] * 14
    assert made.authors_part == Study.AuthorsPart.NO
    assert made.version.published_at < made.made_at < made.opened_at
    assert made.opened_at < made.preregistration.frozen_at < made.ended_at
    assert made.deviations.get().field == "closes_at"
    assert "simulated" in made.title


def test_everything_that_can_happen_in_a_session_happens_in_one(made):
    sessions = Session.objects.filter(participation__study=made)
    assert sessions.count() == len(SITTERS)
    assert set(sessions.values_list("ending", flat=True)) == CAME
    items = SessionItem.objects.filter(session__in=sessions)
    assert set(items.values_list("outcome", flat=True)) == set(SessionItem.Outcome)
    assert set(sessions.values_list("kept_to_aids", flat=True)) == {True, False, None}
    [late] = Save.objects.filter(is_late=True)
    assert late.arrived_at > late.item.session.ended_at
    assert sessions.exclude(extensions=None).get().ended_at
    assert made.participations.exclude(exclusion=None).get().exclusion.why
    assert made.participations.filter(practised_at=None).count() == 1
    assert made.participations.staying().filter(session=None).count() == 2
    assert made.participations.exclude(withdrawn_at=None).get().withdrawn_at < made.ended_at
    found = collect(made)
    assert found.flow["invited"] > found.flow["joined"] > found.flow["started"]
    assert found.flow["withdrawn"] == 1


def test_its_sessions_went_on_when_the_study_did(made):
    for session in Session.objects.filter(participation__study=made):
        assert made.opened_at < session.participation.consented_at
        assert session.participation.consented_at < session.started_at < session.ended_at
        assert session.ended_at < made.ended_at
        saves = Save.objects.in_time().filter(item__session=session)
        times = list(saves.order_by("item__place", "number").values_list("arrived_at", flat=True))
        assert [session.started_at, *times, session.ended_at] == sorted(
            [session.started_at, *times, session.ended_at]
        )


def test_the_grader_says_right_and_wrong_of_what_was_meant_so(made):
    for attempt in Attempt.objects.filter(sat__isnull=False):
        grade_attempt(attempt.pk)
    sat = SessionItem.objects.filter(session__participation__study=made)
    said = dict(sat.exclude(attempt=None).values_list("attempt", "attempt__status"))
    assert set(said.values()) == {"GRADED"}
    for number, session in enumerate(Session.objects.filter(participation__study=made)):
        verdicts = session.items.values_list("outcome", "attempt__grades__accuracy")
        right = [accuracy == 100 for _outcome, accuracy in verdicts]
        assert right == [letter == "R" for letter in SITTERS[number].does]
    found = collect(made)
    assert found.headline.accuracy.ungraded == 0
    # One stopped, one did not keep to the aids, one is left out by hand.
    assert (found.all_people.people, found.flow["left_out"]) == (12, 3)


@pytest.mark.slow
def test_its_checklist_is_complete(made):
    for attempt in Attempt.objects.all():
        grade_attempt(attempt.pk)
    items = [item for part in build(collect_facts(made)) for item in part.items]
    assert [item.number for item in items if not item.is_reported] == []
    answers = {item.number: item.answer for item in items}
    # Every model of the board, by both figures, and what is found of each.
    assert answers["4.1"].count("95 % interval") == 12
    assert "strong (synthetic), accuracy: people" in answers["4.1"]


def test_every_participant_of_the_demo_can_sit_the_open_one_and_has_other_problems(made):
    study = Study.objects.accessible().get()
    assert (study.problems, study.minutes, study.joining) == (3, 30, "OPEN")
    for person in User.objects.filter(email__startswith="participant", roles=[Role.PARTICIPANT]):
        assert list_studies_to_join(person) == [study]
        left = (
            list_to_answer(person)
            .exclude(pk__in=list_own_answers(person).values("revision__problem"))
            .exclude(pk__in=list_problems_of_studies(person))
        )
        assert left.count() >= 8
        part = actions.join(study=study, person=person, consents=True, answers={})
        actions.practise(participation=part)
        assert actions.start(participation=part).items.count() == 3


def test_who_is_simulated_is_named_so_and_can_not_sign_in(made):
    people = User.objects.filter(pk__in=Participation.objects.values("person"))
    assert people.count() == 16
    for person in people:
        assert person.display_name.startswith("Demo simulated person")
        assert person.is_demo
        assert not person.has_usable_password()


def test_a_second_time_makes_no_other_studies(made):
    before = Session.objects.count(), Save.objects.count(), Problem.objects.count()
    assert demo.make("secret") is False
    assert Study.objects.count() == 2
    assert (Session.objects.count(), Save.objects.count(), Problem.objects.count()) == before
