"""What is said of a model: who says it, what is refused, and that it stays as it was said."""

from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from grading.solvers import actions
from grading.solvers.actions import CannotChange
from grading.solvers.forms import DescriptionForm
from grading.solvers.models import Description, Membership, Solver
from grading.solvers.permissions import can_describe
from phybench.people.models import Role
from tests.conftest import make_person
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db

SAID = {
    "kind": "REASONING",
    "size": "671B, 37B active",
    "weights": "OPEN",
    "released_on": date(2026, 5, 28),
    "link": "https://example.com/card",
    "parameters": "temperature 0.6",
    "tools": "none",
    "harness": "harness 1.2",
}


@pytest.fixture
def solver(evaluator) -> Solver:
    return Solver.objects.create(
        name="Alpha", kind=Solver.Kind.MODEL, organisation=organisation_of(evaluator)
    )


def test_a_description_keeps_who_said_what_and_when(solver, evaluator, admin):
    began = timezone.now()
    first = actions.describe(solver=solver, by=evaluator, read=0, **SAID)
    second = actions.describe(solver=solver, by=admin, read=1, size="8B")
    assert [one.number for one in solver.descriptions.all()] == [2, 1]
    assert {name: getattr(first, name) for name in SAID} == SAID
    assert (first.described_by, second.described_by) == (evaluator, admin)
    assert began < first.described_at < second.described_at
    assert Description.objects.newest().get() == second


def test_what_is_said_already_is_not_said_again(solver, evaluator):
    said = [actions.describe(solver=solver, by=evaluator, read=0, size="8B") for _twice in range(2)]
    assert said[0] == said[1] == Description.objects.get()


def test_who_had_not_read_what_another_wrote_meanwhile_is_told_so(solver, evaluator, admin):
    actions.describe(solver=solver, by=evaluator, read=0, size="8B")
    with pytest.raises(CannotChange, match="Somebody else has described"):
        actions.describe(solver=solver, by=admin, read=0, size="7B")
    assert actions.describe(solver=solver, by=admin, read=1, size="7B").number == 2


def test_a_description_can_be_emptied_but_not_begin_empty(solver, evaluator):
    with pytest.raises(CannotChange, match="Fill in at least one field"):
        actions.describe(solver=solver, by=evaluator, read=0)
    actions.describe(solver=solver, by=evaluator, read=0, size="8B")
    assert actions.describe(solver=solver, by=evaluator, read=1).size == ""


def test_its_organisations_evaluators_and_admins_describe_a_model(solver, evaluator, admin):
    member, left = make_person(Role.EVALUATOR, "member"), make_person(Role.EVALUATOR, "left")
    former = make_person(None, "former")
    for person in (member, left, former):
        join(solver.organisation, person)
    Membership.objects.filter(person=left).update(left_at=timezone.now())
    people = {
        "who hands in": evaluator,
        "member": member,
        "an admin": admin,
        "who left": left,
        "who is no evaluator any more": former,
        "another": make_person(Role.EVALUATOR, "another"),
        "a contributor": make_person(Role.CONTRIBUTOR, "contributor2"),
    }
    allowed = {name for name, one in people.items() if can_describe(one, solver)}
    assert allowed == {"who hands in", "member", "an admin"}
    for name in people.keys() - allowed:
        with pytest.raises(PermissionDenied):
            actions.describe(solver=solver, by=people[name], read=0, size="8B")


# --- What the database refuses; `test_rules_of_the_database.py` has that nothing is changed -----


def test_a_person_is_not_described(evaluator):
    person = Solver.objects.create(name="Person", kind=Solver.Kind.HUMAN, user=evaluator)
    with pytest.raises(DatabaseError, match="description_is_of_a_model"), transaction.atomic():
        Description.objects.create(solver=person, number=1, described_by=evaluator, size="8B")


@pytest.mark.parametrize("link", ["http://example.com", "javascript:alert(1)", "//example.com"])
def test_no_link_but_by_https_is_kept(solver, evaluator, link):
    with pytest.raises(IntegrityError, match="description_links_by_https"), transaction.atomic():
        actions.describe(solver=solver, by=evaluator, read=0, link=link)


# --- What is filled in ----------------------------------------------------------------------


def fill_in(**fields):
    return DescriptionForm({"read": "0", **fields})


def test_what_is_filled_in_is_what_is_said():
    form = fill_in(**{**SAID, "size": "  671B,  37B active "})
    assert form.is_valid()
    assert form.list_said() == SAID


@pytest.mark.parametrize(
    ("given", "link"),
    [
        ("example.com/card", "https://example.com/card"),
        ("https://example.com/a?b=%E5%85%AC#c", "https://example.com/a?b=%E5%85%AC#c"),
        ("", ""),
    ],
)
def test_a_link_is_kept_as_it_is_written(given, link):
    form = fill_in(link=given)
    assert form.is_valid()
    assert form.cleaned_data["link"] == link


@pytest.mark.parametrize(
    ("field", "text", "error"),
    [
        ("link", "http://example.com", "Write an address that begins with https://."),
        ("link", "javascript:alert(1)", "Write an address that begins with https://."),
        ("link", "ftp://example.com", "Write an address that begins with https://."),
        ("link", "https://ex ample.com", "Write an address that begins with https://."),
        ("link", "https://арр1е.com", "Write it in ASCII"),
        ("link", "https://bank.com@example.com", "Leave user name and password out"),
        ("link", "https://example.com/" + "a" * 300, "at most 300 characters"),
        ("size", "8B\u202e", "a character that can’t be seen"),
        ("size", "8" * 41, "at most 40 characters"),
        ("parameters", "x" * 201, "at most 200 characters"),
        ("kind", "HUGE", "Select a valid choice"),
        ("released_on", "soon", "Enter a valid date"),
    ],
)
def test_what_can_not_be_said_is_refused_at_its_field(field, text, error):
    form = fill_in(**{field: text})
    assert error in str(form.errors[field])
