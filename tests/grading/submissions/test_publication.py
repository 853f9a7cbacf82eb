"""Whose a submission is, what is in the way of publishing it, and what verdicts tell of a key."""

import json
from datetime import timedelta

import pgtrigger
import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from curation.problems.exposures.models import Exposure
from curation.problems.permissions import can_see_key
from curation.versions import permissions
from grading.answers import actions
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.solvers.actions import end_membership
from grading.solvers.models import Organisation
from grading.submissions import publication
from grading.submissions.drafts import reading, submitting
from grading.submissions.drafts.submitting import TooMany
from grading.submissions.publication import CannotPublish, publish
from grading.submissions.quota import measure_quota
from phybench.people.models import Role
from tests import drafts
from tests.addresses import client_of, reverse_asked
from tests.conftest import make_person
from tests.grading.conftest import make_file
from tests.memory import remembered
from tests.organisations import join, organisation_of
from tests.versions import hand_in, publish_version
from tests.work import grade_attempt, grade_together

pytestmark = pytest.mark.django_db


def grade_all() -> None:
    grade_together(Attempt.objects.waiting())


@pytest.fixture
@remembered
def submission(problems, hand_in) -> Submission:
    made = hand_in((problems[0], "m g h"), (problems[1], "0"))
    grade_all()
    return made


def hand_in_rows(rows, benchmark, by, **more) -> list[Submission]:
    publish_version(benchmark)
    return drafts.grade(
        organisation=organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
        **more,
    )


def give(problem, answer, sample=0, model="A model"):
    return {
        "id": problem.identifier,
        "model": model,
        "model_answer": answer,
        "repeat_index": sample,
    }


# --- Whose it is ----------------------------------------------------------------------------


def test_nobody_hands_in_under_the_name_of_anothers_model(submission, problems, benchmark):
    other = make_person(Role.EVALUATOR, "other")
    with pytest.raises(PermissionDenied, match="Only members"):
        hand_in(
            organisation=submission.solver.organisation,
            benchmark=benchmark,
            uploaded_by=other,
            file_name="answers.json",
            content=make_file((problems[0], "7")),
        )
    [own] = hand_in_rows([give(problems[0], "7")], benchmark, other)
    assert own.solver != submission.solver, "one of the same name is another model"
    assert own.number == 1


def test_the_page_takes_no_organisation_of_others(submission, problems, benchmark):
    other = make_person(Role.EVALUATOR, "other")
    organisation_of(other)
    answer = client_of(other).post(
        reverse("grading:upload"),
        {"organisation": submission.solver.organisation_id, "benchmark": benchmark.pk},
    )
    assert "organisation" in answer.context["form"].errors


def test_submissions_of_a_model_are_numbered_by_benchmark(problems, hand_in):
    made = [hand_in((problems[0], "7"), model=name) for name in ("A", "A", "B")]
    assert [one.number for one in made] == [1, 2, 1]


def test_single_answers_stay_with_the_organisation_after_publication(submission, evaluator):
    publish(submission=submission, by=evaluator)
    other = make_person(Role.EVALUATOR, "other")
    for person, status in ((evaluator, 200), (other, 404)):
        client = client_of(person)
        page = submission.get_absolute_url()
        of_it = [page, f"{page}?as=csv"]
        for address in (*of_it, submission.attempts.first().get_absolute_url()):
            assert client.get(address).status_code == status


# --- Publishing and withdrawing -------------------------------------------------------------


def test_what_is_published_stays_so(submission, evaluator):
    member = make_person(Role.EVALUATOR, "member")
    join(submission.solver.organisation, member)
    publish(submission=submission, by=evaluator)
    publish(submission=submission, by=member)
    submission.refresh_from_db()
    assert submission.published_by == evaluator
    row = Submission.objects.filter(pk=submission.pk)
    for change in (
        {"published_at": None, "published_by": None},
        {"published_at": timezone.now()},
        {"published_by": member},
        {"number": 7},
        {"is_named": True},
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.update(**change)


def test_what_is_in_the_way_of_publishing_is_said(problems, hand_in, evaluator):
    made = hand_in((problems[0], "m g h"))
    assert "Not all of its answers are graded" in publication.find_obstacle(
        made, ranked=publication.find_ranked(made)
    )
    grade_all()
    Organisation.objects.update(confirmed_at=None, confirmed_by=None)
    made.solver.organisation.refresh_from_db()
    obstacle = publication.find_obstacle(made, ranked=publication.find_ranked(made))
    assert "An admin confirms the name of the team “Organisation of Evaluator”" in obstacle
    page = (
        client_of(evaluator)
        .get(reverse_asked("grading:submission?do=publish", args=[made.pk]))
        .content.decode()
    )
    assert "A first upload makes a team by itself" in page
    client_of(evaluator).post(reverse_asked("grading:submission?do=publish", args=[made.pk]))
    made.refresh_from_db()
    assert made.published_at is None


def test_a_withdrawn_submission_is_not_published(submission, evaluator):
    publication.withdraw(submission=submission, by=evaluator)
    with pytest.raises(CannotPublish, match="withdrawn"):
        publish(submission=submission, by=evaluator)


def test_a_published_submission_has_as_many_answers_to_each_problem(problems, benchmark, evaluator):
    rows = [give(problems[0], "m g h", 0), give(problems[0], "7", 1), give(problems[1], "7", 0)]
    [uneven] = hand_in_rows(rows, benchmark, evaluator)
    # What a model left empty is handed in as well: the file has as many rows.
    of_other = [{**row, "model": "Even"} for row in (*rows, give(problems[1], "", 1))]
    [even] = hand_in_rows(of_other, benchmark, evaluator)
    grade_all()
    with pytest.raises(CannotPublish, match="One problem has fewer answers"):
        publish(submission=uneven, by=evaluator)
    publish(submission=even, by=evaluator)


def test_who_handed_it_in_withdraws_it_and_its_grades_stay(submission, evaluator, admin):
    publication.withdraw(submission=submission, by=evaluator)
    submission.refresh_from_db()
    first = submission.withdrawn_at
    assert first is not None
    publication.withdraw(submission=submission, by=admin)
    submission.refresh_from_db()
    assert submission.withdrawn_at == first
    assert Grade.objects.filter(attempt__submission=submission).count() == 2


def test_what_was_published_and_withdrawn_is_not_published_again(submission, evaluator):
    publish(submission=submission, by=evaluator)
    publish(submission=submission, by=evaluator)  # the same button twice
    publication.withdraw(submission=submission, by=evaluator)
    with pytest.raises(CannotPublish, match="It is withdrawn"):
        publish(submission=submission, by=evaluator)
    address = reverse_asked("grading:submission?do=publish", args=[submission.pk])
    told = client_of(evaluator).post(address, follow=True).content.decode()
    assert "It is withdrawn." in told
    assert "Everyone can see its score" not in told


def test_it_is_published_and_withdrawn_on_its_pages(submission, evaluator):
    client = client_of(evaluator)
    page = client.get(submission.get_absolute_url()).content.decode()
    assert "Only your team and admins see this submission" in page
    for step, is_done in (("publish", "published_at"), ("withdraw", "withdrawn_at")):
        address = reverse_asked(f"grading:submission?do={step}", args=[submission.pk])
        assert address in client.get(submission.get_absolute_url()).content.decode()
        assert client.get(address).status_code == 200
        client.post(address)
        submission.refresh_from_db()
        assert getattr(submission, is_done)


# --- How much -------------------------------------------------------------------------------


def test_an_organisation_hands_in_so_many_submissions_a_day(
    problems, benchmark, evaluator, settings
):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 3, 0
    hand_in_rows([give(problems[0], "1", model=name) for name in "AB"], benchmark, evaluator)
    rows = [give(problems[0], "2", model=name) for name in "CD"]
    with pytest.raises(TooMany, match="at most 3 submissions"), transaction.atomic():
        hand_in_rows(rows, benchmark, evaluator)
    assert Submission.objects.count() == 2
    made = hand_in_rows([give(problems[0], "2")], benchmark, evaluator)
    publication.withdraw(submission=made[0], by=evaluator)
    with pytest.raises(TooMany), transaction.atomic():
        hand_in_rows([give(problems[0], "3")], benchmark, evaluator)


def test_an_organisation_gives_so_many_answers_to_one_problem_a_day(
    problems, benchmark, evaluator, settings
):
    settings.MOST_SAMPLES_A_DAY = 4
    rows = [give(problems[0], f"{n}", n) for n in range(3)]
    hand_in_rows([*rows, give(problems[1], "1")], benchmark, evaluator)
    with pytest.raises(TooMany, match="at most 4 answers to one problem"), transaction.atomic():
        hand_in_rows([give(problems[0], f"{n + 9}", n) for n in range(2)], benchmark, evaluator)
    hand_in_rows([give(problems[1], f"{n + 9}", n) for n in range(2)], benchmark, evaluator)


def test_a_second_organisation_is_no_second_quota(problems, benchmark, evaluator, settings):
    settings.MOST_SUBMISSIONS_A_DAY, settings.FIRST_UPLOADS = 1, 0
    hand_in_rows([give(problems[0], "1")], benchmark, evaluator)
    second = organisation_of(make_person(Role.EVALUATOR, "other"))
    join(second, evaluator)
    with pytest.raises(TooMany), transaction.atomic():
        drafts.grade(
            organisation=second,
            benchmark=benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=make_file((problems[0], "2")),
        )


def test_what_is_over_a_day_old_is_counted_no_more(problems, benchmark, evaluator):
    [made] = hand_in_rows([give(problems[0], "1")], benchmark, evaluator)
    quota = measure_quota(made.solver.organisation, evaluator)
    assert (quota.submissions.used, quota.samples.used) == (1, 1)
    with pgtrigger.ignore("grading.Submission:submission_is_only_published_and_withdrawn"):
        made.created_at -= timedelta(hours=25)
        made.save()
    quota = measure_quota(made.solver.organisation, evaluator)
    assert (quota.submissions.used, quota.samples.used) == (0, 0)


# --- What verdicts tell ---------------------------------------------------------------------


def may_answer(person, problem) -> bool:
    return permissions.may_answer(person, problem.accepted_revision)


@pytest.fixture
@remembered
def guesser():
    """Somebody who hands in, and would answer for the human baseline."""
    person = make_person(None, "guesser")
    person.roles = [Role.EVALUATOR, Role.PARTICIPANT, Role.REVIEWER]
    person.save()
    return person


@pytest.fixture
@remembered
def guess(problems, benchmark, guesser) -> Submission:
    [made] = hand_in_rows([give(problems[0], "2 m g h")], benchmark, guesser)
    return made


@pytest.mark.parametrize(
    "name",
    [
        *("grading:submission", "grading:submission?as=csv", "grading:submission?as=jsonl"),
        *(
            "grading:submissions",
            "grading:submissions_csv",
            "grading:submission?do=publish",
            "attempt",
        ),
    ],
)
def test_who_is_told_a_verdict_answers_that_problem_no_more(guess, guesser, problems, name):
    address = (
        guess.attempts.get().get_absolute_url()
        if name == "attempt"
        else reverse_asked(name, args=[] if "submissions" in name else [guess.pk])
    )
    client_of(guesser).get(address)
    assert may_answer(guesser, problems[0]), "nothing is graded yet"
    grade_all()
    client_of(guesser).get(address)
    assert not may_answer(guesser, problems[0])
    assert may_answer(guesser, problems[1])
    page = client_of(guesser).get(reverse("grading:answer", args=[problems[0].pk])).content.decode()
    assert "you have seen how an answer to it was graded" in page


def test_the_board_tells_all_members_so_publishing_does(guess, guesser, problems):
    member = make_person(Role.PARTICIPANT, "member")
    join(guess.solver.organisation, member)
    grade_all()
    assert may_answer(member, problems[0])
    publish(submission=guess, by=guesser)
    for person in (guesser, member):
        assert not may_answer(person, problems[0])


def test_publishing_tells_who_could_read_the_answers_and_has_left_since(guess, guesser, problems):
    member = make_person(Role.EVALUATOR, "member")
    join(guess.solver.organisation, member)
    end_membership(membership=guesser.memberships.get(), by=guesser)
    # What could not be graded is on the board once it is.
    guess.attempts.update(status="FAILED", failure_reason="timeout")
    publish(submission=guess, by=member)
    assert not may_answer(guesser, problems[0])


def test_how_ones_own_answer_was_graded_is_told_though_its_page_is_never_opened(
    problems, participant
):
    revision = problems[0].accepted_revision
    attempt = actions.answer(revision=revision, person=participant, response="m g")
    client_of(participant).get(reverse("grading:to_answer"))
    verdicts = Exposure.objects.filter(person=participant, part="VERDICT")
    assert not verdicts.exists()
    grade_attempt(attempt.pk)
    assert verdicts.get().revision == revision


def test_an_admin_answers_nothing(problems):
    both = make_person(None, "both")
    both.roles = [Role.ADMIN, Role.PARTICIPANT]
    both.save()
    assert not may_answer(both, problems[0])


def test_of_very_many_rows_that_are_no_answers_the_first_are_kept(
    problems, benchmark, evaluator, monkeypatch
):
    for module in (reading, submitting):
        monkeypatch.setattr(module, "MOST_LEFT_OUT", 3)
    rows = [give(problems[0], "1"), *({"id": "z", "model": "A model"} for _ in range(5))]
    [made] = hand_in_rows(rows, benchmark, evaluator)
    assert [row["row"] for row in made.left_out] == [2, 3, 4, 4]
    assert made.left_out[-1]["message"] == "and 2 more rows"


def test_names_that_look_alike_are_one_models(problems, benchmark, evaluator):
    names = ("GPT-X", "GPT\u200b-X", " GPT-X ", "\uff27PT-X")
    for number, name in enumerate(names):
        hand_in_rows([give(problems[0], str(number), model=name)], benchmark, evaluator)
    assert Submission.objects.values("solver").distinct().count() == 1


def test_a_verdict_lets_nobody_read_the_key(guess, guesser, problems):
    grade_all()
    client_of(guesser).get(guess.get_absolute_url())
    assert not can_see_key(guesser, problems[0])
