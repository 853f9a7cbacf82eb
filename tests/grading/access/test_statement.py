"""How many people behind a submission saw what before it was handed in."""

import pgtrigger
import pytest
from django.utils import timezone

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.exposures.models import Exposure
from curation.problems.people.models import Credit
from grading.answers.submissions.models import Submission
from grading.solvers.models import Membership, Organisation
from grading.submissions.access.statement import Access, PartAccess, state_access
from tests.conftest import accept, make_draft, make_person
from tests.grading.audits.conftest import RIGHT
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation(evaluator):
    return organisation_of(evaluator)


@pytest.fixture
def colleague(organisation):
    person = make_person(None, "colleague")
    join(organisation, person)
    return person


def show(person, problem, *parts: Part) -> None:
    ledger.record(person, Reason.READ, problem.accepted_revision, parts=parts)


def state(version, submission) -> Access:
    [found] = state_access(version, [submission])
    return found


def test_people_are_counted_by_what_they_saw_of_which_part(
    version, answer, problems, evaluator, colleague
):
    show(evaluator, problems[0], Part.STATEMENT, Part.ANSWER, Part.SOLUTION)
    show(evaluator, problems[1], Part.STATEMENT)
    show(colleague, problems[0], Part.STATEMENT, Part.VERDICT)
    show(colleague, problems[4], Part.STATEMENT, Part.SOLUTION)
    found = state(version, answer({problems[0]: [RIGHT]}))
    assert found.people == 2
    assert found.public == PartAccess(statements=2, keys=1, verdicts=1)
    assert found.hidden == PartAccess(statements=1, keys=1, verdicts=0)


def test_what_is_shown_afterwards_or_to_others_does_not_count(
    version, answer, problems, organisation, reviewer
):
    submission = answer({problems[0]: [RIGHT]})
    before = state(version, submission)
    show(submission.uploaded_by, problems[2], Part.STATEMENT, Part.ANSWER)
    join(organisation, reviewer)
    assert state(version, submission) == before
    assert (before.people, before.public.keys) == (1, 0)


def test_who_has_left_counts_and_who_asked_to_join_does_not(
    version, answer, problems, organisation, colleague
):
    show(colleague, problems[0], Part.ANSWER)
    Membership.objects.filter(person=colleague).update(left_at=timezone.now())
    asking = make_person(None, "asking")
    Membership.objects.create(organisation=organisation, person=asking)
    show(asking, problems[0], Part.ANSWER)
    found = state(version, answer({problems[0]: [RIGHT]}))
    assert (found.people, found.public.keys) == (2, 1)


def test_people_of_an_organisation_that_was_merged_into_it_count(
    version, answer, problems, organisation, admin
):
    other = make_person(None, "other")
    small_one, middle = (
        Organisation.objects.create(name=name, made_by=admin) for name in ("Small", "Middle")
    )
    join(small_one, other)
    show(other, problems[0], Part.ANSWER)
    Organisation.objects.filter(pk=small_one.pk).update(merged_into=middle)
    Organisation.objects.filter(pk=middle.pk).update(merged_into=organisation)
    found = state(version, answer({problems[0]: [RIGHT]}))
    assert (found.people, found.public.keys) == (2, 1)


def test_who_wrote_or_translated_a_problem_knows_its_key(
    version, answer, problems, organisation, contributor, colleague
):
    with pgtrigger.ignore("curation.Exposure:exposure_is_append_only"):
        Exposure.objects.all().delete()
    join(organisation, contributor)
    Credit.objects.create(
        problem=problems[4], person=colleague, role="TRANSLATOR", language="zh",
        given_by=contributor, accepted_at=timezone.now(),
    )  # fmt: skip
    found = state(version, answer({problems[0]: [RIGHT]}))
    assert found.people == 3
    assert (found.public.keys, found.hidden.keys) == (1, 2)


def test_a_problem_of_another_version_does_not_count(
    version, answer, problems, evaluator, benchmark, contributor, reviewer
):
    other = accept(make_draft(contributor, benchmark), contributor, reviewer)
    show(evaluator, other, Part.ANSWER)
    assert state(version, answer({problems[0]: [RIGHT]})).public.keys == 0


def test_as_many_queries_for_one_submission_as_for_three(
    version, answer, problems, evaluator, django_assert_num_queries
):
    show(evaluator, problems[0], Part.STATEMENT)
    people = [evaluator, make_person("EVALUATOR", "second"), make_person("EVALUATOR", "third")]
    found = [answer({problems[0]: [RIGHT]}, model=f"M{p}", by=p) for p in people]
    for count in (1, 3):
        rows = list(
            Submission.objects.filter(pk__in=[one.pk for one in found[:count]]).select_related(
                "solver__organisation"
            )
        )
        with django_assert_num_queries(5):
            assert len(state_access(version, rows)) == count
    with django_assert_num_queries(0):
        assert state_access(version, []) == []
