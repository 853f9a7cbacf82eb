"""What is said of a model: who says it, what is refused, and that it stays as it was said."""

import re
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from grading.solvers import actions
from grading.solvers.actions import CannotChange
from grading.solvers.forms import DescriptionForm
from grading.solvers.models import Description, Membership, Solver, write_count
from grading.solvers.permissions import can_describe
from phybench.people.models import Role
from tests.addresses import client_of
from tests.conftest import make_person
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db

SAID = {
    "kind": "REASONING",
    "parameters": 671_000_000_000,
    "developer": "A laboratory",
    "weights": "OPEN",
    "released_on": date(2026, 5, 28),
    "link": "https://example.com/card",
    "inference": "temperature 0.6",
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
    second = actions.describe(solver=solver, by=admin, read=1, parameters=8 * 10**9)
    assert [one.number for one in solver.descriptions.all()] == [2, 1]
    assert {name: getattr(first, name) for name in SAID} == SAID
    assert (first.described_by, second.described_by) == (evaluator, admin)
    assert began < first.described_at < second.described_at
    assert Description.objects.newest().get() == second


def test_what_is_said_already_is_not_said_again(solver, evaluator):
    said = [
        actions.describe(solver=solver, by=evaluator, read=0, parameters=8 * 10**9)
        for _twice in range(2)
    ]
    assert said[0] == said[1] == Description.objects.get()


def test_who_had_not_read_what_another_wrote_meanwhile_is_told_so(solver, evaluator, admin):
    actions.describe(solver=solver, by=evaluator, read=0, parameters=8 * 10**9)
    with pytest.raises(CannotChange, match="Somebody else has described"):
        actions.describe(solver=solver, by=admin, read=0, parameters=7 * 10**9)
    assert actions.describe(solver=solver, by=admin, read=1, parameters=7 * 10**9).number == 2


def test_a_description_can_be_emptied_but_not_begin_empty(solver, evaluator):
    with pytest.raises(CannotChange, match="Fill in at least one field"):
        actions.describe(solver=solver, by=evaluator, read=0)
    actions.describe(solver=solver, by=evaluator, read=0, parameters=8 * 10**9)
    assert actions.describe(solver=solver, by=evaluator, read=1).parameters is None


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
            actions.describe(solver=solver, by=people[name], read=0, parameters=8 * 10**9)


# --- What the database refuses; `test_rules_of_the_database.py` has that nothing is changed -----


def test_a_person_is_not_described(evaluator):
    person = Solver.objects.create(name="Person", kind=Solver.Kind.HUMAN, user=evaluator)
    with pytest.raises(DatabaseError, match="description_is_of_a_model"), transaction.atomic():
        Description.objects.create(
            solver=person, number=1, described_by=evaluator, parameters=8 * 10**9
        )


@pytest.mark.parametrize("link", ["http://example.com", "javascript:alert(1)", "//example.com"])
def test_no_link_but_by_https_is_kept(solver, evaluator, link):
    with pytest.raises(IntegrityError, match="description_links_by_https"), transaction.atomic():
        actions.describe(solver=solver, by=evaluator, read=0, link=link)


# --- What is filled in ----------------------------------------------------------------------


def fill_in(**fields):
    return DescriptionForm({"read": "0", **fields})


def test_what_is_filled_in_is_what_is_said():
    form = fill_in(**{**SAID, "parameters": " 671 B", "developer": " A  laboratory "})
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
        ("developer", "A\u202e", "a character that can’t be seen"),
        ("developer", "d" * 121, "at most 120 characters"),
        ("inference", "x" * 201, "at most 200 characters"),
        ("kind", "HUGE", "Select a valid choice"),
        ("released_on", "soon", "Enter a valid date"),
    ],
)
def test_what_can_not_be_said_is_refused_at_its_field(field, text, error):
    form = fill_in(**{field: text})
    assert error in str(form.errors[field])


@pytest.mark.parametrize(
    ("typed", "count", "written"),
    [
        ("70B", 70_000_000_000, "70B"),
        ("671e9", 671_000_000_000, "671B"),
        ("1.8 T", 1_800_000_000_000, "1.8T"),
        ("350m", 350_000_000, "350M"),
        ("70,553,706,496", 70_553_706_496, "70.553706496B"),
        ("", None, ""),
    ],
)
def test_parameters_are_a_number_however_people_write_it(typed, count, written):
    form = fill_in(parameters=typed)
    assert form.is_valid()
    assert form.cleaned_data["parameters"] == count
    assert write_count(count) == written
    assert fill_in(parameters=written).fields["parameters"].clean(written) == count


@pytest.mark.parametrize(
    "typed", ["large", "0", "-7B", "8.5", "1e99", "671B, 37B active", "7BB", "1,8T", "٣B"]
)
def test_what_is_no_number_of_parameters_is_refused(typed):
    assert "Write a number such as 70B" in str(fill_in(parameters=typed).errors["parameters"])


def test_the_developer_is_the_one_that_the_name_says_where_none_is_given(solver, evaluator):
    assert actions.describe(solver=solver, by=evaluator, read=0, kind="GENERAL").developer == ""
    solver.name = "deepseek-ai/DeepSeek-R1"
    solver.save()
    assert actions.describe(solver=solver, by=evaluator, read=1).developer == "deepseek-ai"
    given = actions.describe(solver=solver, by=evaluator, read=2, developer="DeepSeek")
    assert given.developer == "DeepSeek"


def test_the_form_of_a_new_description_begins_with_the_developer_in_the_name(solver, evaluator):
    solver.name = "deepseek-ai/DeepSeek-R1"
    solver.save()
    address = reverse("grading:describe_solver", args=[solver.pk])
    assert 'value="deepseek-ai"' in client_of(evaluator).get(address).content.decode()


def test_a_model_is_described_for_the_first_time_by_what_its_page_sends(solver, evaluator):
    address, client = reverse("grading:describe_solver", args=[solver.pk]), client_of(evaluator)
    page = client.get(address).content.decode()
    [read] = re.findall(r'name="read" value="(.*?)"', page)
    sent = client.post(address, {"read": read, "kind": "REASONING", "parameters": "1,800B"})
    assert sent.status_code == 302
    assert solver.descriptions.get().parameters == 1_800 * 10**9
