"""What is written down as a contribution, when, and that nothing counts twice."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from curation.authoring.drafts import actions
from curation.exchange.published import import_published
from curation.problems.benchmarks.models import Benchmark
from curation.problems.credits import actions as crediting
from curation.problems.models import Problem, Revision
from curation.problems.people.contributions import (
    count_contributions,
    fetch_points,
    list_contributors,
)
from curation.problems.people.models import (
    DEFAULT_POINTS,
    MOST_POINTS,
    Contribution,
    ContributionKind,
    ContributionWeight,
    Credit,
)
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound
from grading.answers import actions as grading
from grading.answers.grader import keep
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.tasks import GRADING
from phybench.people.models import Role, User
from phybench_grader import grade
from tests.certificates import give_certificate
from tests.conftest import accept, make_draft, make_person, name_person
from tests.organisations import organisation_of
from tests.versions import hand_in
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


def recorded() -> list[tuple[str, str, int | None]]:
    """List who did what, to which revision."""
    rows = Contribution.objects.order_by("pk").select_related("person", "revision")
    return [(str(row.person), row.kind, row.revision and row.revision.number) for row in rows]


def review(review_round: ReviewRound, reviewer: User, recommendation: str) -> None:
    submit_review(
        review_round=review_round,
        reviewer=reviewer,
        recommendation=recommendation,
        comment="Because.",
    )


def write_next(problem: Problem, writer: User) -> Revision:
    """Begin the next revision, ready to be submitted."""
    revision = actions.save_draft(
        problem=problem, author=writer, saved_at="", solution="Thus.", reason="A solution."
    )
    give_certificate(problem)
    return revision


# --- Authored, supplied ---------------------------------------------------------------------


def test_who_is_named_when_it_is_accepted_has_authored_or_supplied_it(draft, contributor, reviewer):
    names = {"with": "CO_AUTHOR", "idea": "SUPPLIER", "gone": "CO_AUTHOR"}
    for called, role in names.items():
        person = make_person(Role.CONTRIBUTOR, called)
        name_person(draft, contributor, person, role)
    gone = Credit.objects.get(person__display_name="Gone")
    crediting.remove_credit(credit=gone, by=contributor)
    assert recorded() == []
    accept(draft, contributor, reviewer)
    assert recorded() == [
        ("Reviewer", "REVIEWED", 1),
        ("Contributor", "AUTHORED", None),
        ("With", "AUTHORED", None),
        ("Idea", "SUPPLIED", None),
    ]


@pytest.mark.parametrize("recommendation", ["REVISE", "REJECT"])
def test_nobody_has_authored_what_is_not_accepted(draft, contributor, reviewer, recommendation):
    review(actions.submit(problem=draft, author=contributor), reviewer, recommendation)
    assert recorded() == [("Reviewer", "REVIEWED", 1)]


def test_what_was_published_elsewhere_is_nobody_s_contribution(benchmark):
    import_published(
        benchmark=benchmark,
        published_id="54",
        title="Another",
        domain="OPTICS",
        statement="A",
        answer="a",
        solution="",
        broken_rules=[],
    )
    assert recorded() == []


# --- Revised --------------------------------------------------------------------------------


def test_who_wrote_what_reviewers_had_asked_for_has_revised_it(draft, contributor, reviewer):
    writer, idle = (make_person(Role.CONTRIBUTOR, name) for name in ("writer", "idle"))
    for person in (writer, idle):
        name_person(draft, contributor, person, "CO_AUTHOR")
    review(actions.submit(problem=draft, author=contributor), reviewer, "REVISE")
    write_next(draft, writer)
    actions.submit(problem=draft, author=contributor)
    assert recorded() == [("Reviewer", "REVIEWED", 1), ("Writer", "REVISED", 2)]


def test_to_withdraw_and_submit_again_is_no_revision(draft, contributor, reviewer):
    review(actions.submit(problem=draft, author=contributor), reviewer, "REVISE")
    for _ in range(3):
        write_next(draft, contributor)
        actions.submit(problem=draft, author=contributor)
        actions.withdraw(problem=draft, author=contributor)
    assert recorded() == [("Reviewer", "REVIEWED", 1), ("Contributor", "REVISED", 2)]


# --- Solved ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "expected"),
    [("h g m", [("Participant", "SOLVED", 1)]), ("2 m g h", []), ("E = = 3", [])],
)
def test_a_person_whose_answer_is_correct_has_solved_it(
    accepted_problem, participant, response, expected
):
    revision = accepted_problem.revisions.get()
    attempt = grading.answer(revision=revision, person=participant, response=response)
    before = recorded()
    grade_attempt(attempt.pk)
    assert recorded() == [*before, *expected]


def test_a_model_s_correct_answer_is_nobody_s_contribution(accepted_problem, evaluator, benchmark):
    hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=b'[{"id": "%s", "model": "A model", "model_answer": "m g h"}]'
        % accepted_problem.identifier.encode(),
    )
    before = recorded()
    grade_attempt(Attempt.objects.get().pk)
    assert Attempt.objects.get().status == Attempt.Status.GRADED
    assert recorded() == before


def test_an_answer_graded_once_more_is_not_solved_twice(accepted_problem, participant):
    revision = accepted_problem.revisions.get()
    attempt = grading.answer(revision=revision, person=participant, response="m g h")
    grade_attempt(attempt.pk)
    before = recorded()
    Attempt.objects.update(status=Attempt.Status.QUEUED)
    grade_attempt(attempt.pk)
    assert Attempt.objects.get().status == Attempt.Status.GRADED
    assert recorded() == before


def test_a_grade_that_is_not_kept_leaves_no_contribution(accepted_problem, participant):
    revision = accepted_problem.revisions.get()
    attempt = grading.answer(revision=revision, person=participant, response="m g h")
    before = recorded()
    claimed = GRADING.claim(attempt.pk)
    assert claimed
    # Another worker has it meanwhile, so this one's lease is over.
    Attempt.objects.update(tries=7)
    run = GradingRun.objects.get_adopted(accepted_problem.benchmark_id)
    keep(claimed, run, grade("m g h", "m g h"), seconds=0)
    assert recorded() == before


# --- What the database holds ----------------------------------------------------------------


def test_a_contribution_is_never_changed_or_deleted(accepted_problem):
    for change in (
        lambda: Contribution.objects.update(kind=ContributionKind.TRANSLATED),
        lambda: Contribution.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="pgtrigger"), transaction.atomic():
            change()


@pytest.mark.parametrize("kind", ContributionKind)
def test_the_database_refuses_the_same_contribution_twice(accepted_problem, participant, kind):
    of_problem = kind in {ContributionKind.AUTHORED, ContributionKind.SUPPLIED}
    revision = None if of_problem else accepted_problem.revisions.get()
    row = {"person": participant, "kind": kind, "problem": accepted_problem, "revision": revision}
    Contribution.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        Contribution.objects.create(**row)
    wrong = {**row, "revision": accepted_problem.revisions.get() if of_problem else None}
    with pytest.raises(IntegrityError, match="contribution_to"), transaction.atomic():
        Contribution.objects.create(**wrong)


# --- Counting -------------------------------------------------------------------------------


def weigh(kind: ContributionKind, points: int) -> None:
    ContributionWeight.objects.update_or_create(kind=kind, defaults={"points": points})


def make_points(**counts: int) -> dict[ContributionKind, int]:
    return {kind: counts.get(kind.lower(), 0) for kind in ContributionKind}


def test_points_are_counts_times_what_an_admin_set(accepted_problem, benchmark, contributor):
    weigh(ContributionKind.AUTHORED, 7)
    first, second = list_contributors(benchmark, fetch_points())
    assert (first.name, first.counts, first.points, first.rank) == (
        "Contributor",
        make_points(authored=1),
        7,
        1,
    )
    assert (second.name, second.counts, second.points, second.rank) == (
        "Reviewer",
        make_points(reviewed=1),
        DEFAULT_POINTS[ContributionKind.REVIEWED],
        2,
    )
    assert count_contributions(contributor) == {ContributionKind.AUTHORED: 1}


def test_equal_points_share_a_rank_and_the_next_is_skipped(benchmark, reviewer):
    for name in ("berta", "Anna", "carl"):
        author = make_person(Role.CONTRIBUTOR, name)
        accept(make_draft(author, benchmark), author, reviewer)
    weigh(ContributionKind.REVIEWED, 1)
    ranks = [(one.name, one.rank) for one in list_contributors(benchmark, fetch_points())]
    assert ranks == [("Anna", 1), ("Berta", 1), ("Carl", 1), ("Reviewer", 4)]


def test_contributions_to_another_benchmark_do_not_count_here(accepted_problem):
    other = Benchmark.objects.create(name="Other", slug="other")
    assert list_contributors(other, fetch_points()) == []


def test_a_kind_without_a_weight_counts_the_default(db):
    ContributionWeight.objects.all().delete()
    assert fetch_points() == DEFAULT_POINTS
    with pytest.raises(IntegrityError, match="weight_is_reasonable"), transaction.atomic():
        ContributionWeight.objects.create(kind=ContributionKind.SOLVED, points=MOST_POINTS + 1)
