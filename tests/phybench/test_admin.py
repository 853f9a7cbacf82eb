from collections.abc import Callable

import pytest
from django.apps import apps
from django.contrib import admin as django_admin
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.exchange import imports
from curation.exchange.models import Import
from curation.exchange.published import import_published
from curation.exchange.terms import ImportTerms
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.models import Contribution, ContributionWeight
from curation.versions.exchange.exports import choose, record
from curation.versions.exchange.models import Download
from phybench.people.models import Role, User
from tests.conftest import PASSWORD, accept, make_draft, make_person, name_person
from tests.memory import remembered

pytestmark = pytest.mark.django_db

django_admin.autodiscover()
OURS = [
    model
    for model in django_admin.site._registry
    if model._meta.app_label in {"phybench", "curation", "grading"}
]
READ_ONLY = {
    "curation.credit",
    "curation.download",
    "curation.import",
    "curation.revision",
    "curation.reviewround",
    "curation.review",
    "curation.event",
}
names = pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label_lower)


@pytest.fixture(autouse=True)
def no_sidebar(monkeypatch) -> None:
    """Leave out what is half of each page and the same on all: the index shows it as well."""
    monkeypatch.setattr(django_admin.site, "enable_nav_sidebar", False)


def page(model, kind: str, *arguments) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{kind}", args=arguments)


@pytest.fixture
def back_office(client, admin):
    client.force_login(admin)
    return client


def fill(benchmark: Benchmark, turn: int) -> None:
    """Make one more row of everything that curation keeps."""
    author = make_person(Role.CONTRIBUTOR, f"author-{turn}")
    other = make_person(Role.CONTRIBUTOR, f"other-{turn}")
    draft = make_draft(author, benchmark)
    name_person(draft, author, other, "CO_AUTHOR")
    accept(draft, author, make_person(Role.REVIEWER, f"reviewer-{turn}"))
    terms = ImportTerms(Import.Purpose.DRAFTS, benchmark, author)
    imports.begin(terms, file_name="drafts.json", content=b'[{"title": "A ball"}]')
    record(
        choose(benchmark.problems.all(), author),
        person=author,
        file_format=Download.Format.CSV,
        fields=["id", "answer"],
        asked="",
    )


@pytest.fixture
@remembered
def filled(benchmark) -> None:
    fill(benchmark, 0)


def test_every_model_of_ours_is_there_or_below_another():
    shown = {model._meta.label_lower for model in OURS}
    for model in OURS:
        below = django_admin.site._registry[model].inlines
        shown |= {inline.model._meta.label_lower for inline in below}
    ours = (apps.get_app_config(name) for name in ("phybench", "curation", "grading"))
    every = {model._meta.label_lower for app in ours for model in app.get_models()}
    # What a reviewer has typed and not sent is nobody's but theirs; the board shows its columns.
    assert every - shown == {"curation.reviewdraft", "grading.publishedcolumn"}


@names
def test_lists_and_pages_answer_an_admin(filled, back_office, model):
    # All rows of all lists are shown where queries are counted.
    assert back_office.get(page(model, "changelist"), {"q": "ball"}).status_code == 200
    for row in model.objects.all():
        assert back_office.get(page(model, "change", row.pk)).status_code == 200
    allowed = django_admin.site._registry[model].has_add_permission
    adding = back_office.get(page(model, "add"))
    assert adding.status_code == (200 if allowed(adding.wsgi_request) else 403)


def find_wrong_values() -> list[str]:
    """Return an address of each list with a year that no calendar has, and other such."""
    years = (f"year={'9' * 40}", f"gte={'9' * 40}", "year=-1", f"year=2026&month={'9' * 40}")
    by_date = [
        f"{page(model, 'changelist')}?{field}__{asked}"
        for model in OURS
        if (field := django_admin.site._registry[model].date_hierarchy)
        for asked in years
    ]
    assert by_date
    return [*by_date, f"{page(User, 'changelist')}?roles={'9' * 40}"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_no_row_can_be_is_left_out_of_what_a_list_is_narrowed_by(back_office):
    for address in find_wrong_values():
        answer = back_office.get(address, follow=True)
        assert answer.status_code == 200, address
        assert answer.redirect_chain, address


def count_queries(client: Client) -> dict[str, int]:
    """Count what each list takes, by its model."""
    counted = {}
    for model in OURS:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(page(model, "changelist")).status_code == 200
        counted[model._meta.label_lower] = len(captured)
    return counted


def test_a_list_takes_as_many_queries_for_three_rows_as_for_one(filled, back_office, benchmark):
    back_office.get(page(User, "changelist"))  # what is looked up once a process
    few = count_queries(back_office)
    assert max(few.values()) <= 40
    fill(benchmark, 1)
    fill(benchmark, 2)
    assert count_queries(back_office) == few


@pytest.mark.parametrize("label", sorted(READ_ONLY))
def test_what_the_database_freezes_has_no_form_here(filled, back_office, label):
    [model] = [model for model in OURS if model._meta.label_lower == label]
    row = model.objects.first()
    assert back_office.post(page(model, "change", row.pk), {}).status_code == 403
    assert back_office.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert back_office.post(page(model, "add"), {}).status_code == 403


# --- People ---------------------------------------------------------------------------------


def test_roles_and_sign_in_are_not_changed_here_but_on_the_persons_page(back_office, participant):
    """There each change is written down with who made it."""
    sent = {
        "email": participant.email,
        "display_name": participant.display_name,
        "roles": ["ADMIN"],
        "institution": "Elsewhere",
    }
    answer = back_office.post(page(User, "change", participant.pk), sent)
    assert answer.status_code == 302
    participant.refresh_from_db()
    assert participant.roles == ["PARTICIPANT"]
    assert participant.is_active
    assert participant.institution == ""
    own = back_office.get(page(User, "change", participant.pk))
    assert own.context["absolute_url"].startswith(("/admin/r/", "/people/"))


def test_an_admin_makes_people(back_office):
    answer = back_office.post(
        page(User, "add"),
        {
            "email": "new@test.example",
            "display_name": "New",
            "usable_password": "true",
            "password1": PASSWORD,
            "password2": PASSWORD,
            "roles": ["REVIEWER"],
        },
    )
    assert answer.status_code == 302
    new = User.objects.get(email="new@test.example")
    assert new.roles == []
    assert new.check_password(PASSWORD)


def test_one_address_is_one_persons_in_any_case(back_office, participant):
    answer = back_office.post(
        page(User, "add"),
        {
            "email": participant.email.upper(),
            "display_name": "Twin",
            "usable_password": "true",
            "password1": PASSWORD,
            "password2": PASSWORD,
        },
    )
    assert answer.status_code == 200
    assert User.objects.filter(email__iexact=participant.email).count() == 1


def test_an_admin_sets_a_password(back_office, participant):
    address = reverse("admin:auth_user_password_change", args=[participant.pk])
    assert back_office.get(address).status_code == 200
    fields = {"usable_password": "true", "password1": "other secret", "password2": "other secret"}
    assert back_office.post(address, fields).status_code == 302
    participant.refresh_from_db()
    assert participant.check_password("other secret")


@pytest.mark.parametrize("term", ["participant", "participant@test.example"])
def test_people_are_found_by_name_and_address(back_office, participant, evaluator, term):
    answer = back_office.get(page(User, "changelist"), {"q": term})
    assert list(answer.context["cl"].queryset) == [participant]


@pytest.mark.parametrize(("role", "found"), [("PARTICIPANT", 1), ("none", 1), ("REVIEWER", 0)])
def test_people_are_filtered_by_role(back_office, participant, role, found):
    make_person(None)
    answer = back_office.get(page(User, "changelist"), {"role": role})
    assert answer.context["cl"].queryset.count() == found


def test_the_back_office_has_no_sign_in_of_its_own(client):
    answer = client.get(reverse("admin:login"))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


# --- Problems -------------------------------------------------------------------------------


def retire(back_office, *problems: Problem, reason: str) -> list[str]:
    answer = back_office.post(
        page(Problem, "changelist"),
        {"action": "retire", "_selected_action": [p.pk for p in problems], "reason": reason},
    )
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_an_admin_retires_problems_with_a_reason(back_office, admin, accepted_problem):
    messages = retire(back_office, accepted_problem, reason=" Its key is wrong. ")
    assert messages == ["1 problem was retired."]
    event = accepted_problem.events.last()
    assert (event.kind, event.actor, event.note) == ("RETIRE", admin, "Its key is wrong.")


def test_without_a_reason_nothing_is_retired(back_office, accepted_problem):
    [message] = retire(back_office, accepted_problem, reason=" ")
    assert message.startswith("Nothing was retired")
    assert Problem.objects.accepted().count() == 1


def test_only_accepted_problems_are_retired(back_office, draft):
    [message] = retire(back_office, draft, reason="Why not.")
    assert "can't be retired now" in message


def test_a_label_can_be_put_right_and_a_status_can_not(back_office, draft):
    fields = {"title": "A ball", "domain": "OPTICS", "difficulty": "", "status": "ACCEPTED"}
    management = {
        f"{inline}-{name}": "0"
        for inline in ("revisions", "events")
        for name in ("TOTAL_FORMS", "INITIAL_FORMS")
    }
    answer = back_office.post(page(Problem, "change", draft.pk), {**fields, **management})
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert (draft.title, draft.domain, draft.status) == ("A ball", "OPTICS", "DRAFT")


def test_problems_are_found_by_identifier(back_office, benchmark, draft):
    published = import_published(
        benchmark=benchmark,
        published_id="54",
        title="Another",
        domain="OPTICS",
        statement="A",
        answer="a",
        solution="",
        broken_rules=["float"],
    )
    search: Callable[[dict], list] = lambda terms: list(  # noqa: E731  # shorter than its tests
        back_office.get(page(Problem, "changelist"), terms).context["cl"].queryset
    )
    assert search({"q": f"c{draft.pk}"}) == [draft]
    assert search({"q": "54"}) == [published]
    assert search({"q": "C" + "9" * 18}) == []
    assert search({"rules": "broken"}) == [published]
    assert search({"rules": "kept"}) == [draft]


# --- Credit ---------------------------------------------------------------------------------


def test_an_admin_sets_the_points_and_the_log_says_from_what(back_office, admin):
    ContributionWeight.objects.all().delete()
    weight = ContributionWeight.objects.create(kind="REVIEWED", points=3)
    listing = page(ContributionWeight, "changelist")
    form = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": weight.pk, "_save": "1"}
    back_office.post(listing, {**form, "form-0-points": 6})
    weight.refresh_from_db()
    assert weight.points == 6
    entry = LogEntry.objects.get()
    assert (entry.user, entry.change_message) == (admin, "Points changed from 3 to 6.")
    assert back_office.post(listing, {**form, "form-0-points": -1}).status_code == 200
    assert back_office.post(listing, {**form, "form-0-points": 10**6}).status_code == 200
    weight.refresh_from_db()
    assert weight.points == 6


def test_each_field_of_the_list_of_points_is_named_by_its_kind(back_office):
    ContributionWeight.objects.all().delete()
    weight = ContributionWeight.objects.create(kind="REVIEWED", points=3)
    listing = back_office.get(page(ContributionWeight, "changelist")).content.decode()
    assert f'aria-label="{weight.get_kind_display()}"' in listing


def test_an_admin_writes_down_who_found_an_error_and_nothing_that_is_recorded_anyway(
    back_office, accepted_problem, participant
):
    revision = accepted_problem.revisions.get()
    adding = page(Contribution, "add")
    data = {"person": participant.pk, "revision": revision.pk, "note": "A sign, told by e-mail."}
    before = Contribution.objects.count()
    for kind in ("AUTHORED", "SOLVED"):
        assert back_office.post(adding, {**data, "kind": kind}).status_code == 200
    assert back_office.post(adding, {**data, "kind": "FOUND_ERROR", "note": ""}).status_code == 200
    assert Contribution.objects.count() == before
    assert back_office.post(adding, {**data, "kind": "FOUND_ERROR"}).status_code == 302
    found = Contribution.objects.get(person=participant)
    assert (found.kind, found.problem) == ("FOUND_ERROR", accepted_problem)
    # The same once more is the same.
    assert back_office.post(adding, {**data, "kind": "FOUND_ERROR"}).status_code == 200
    assert back_office.post(page(Contribution, "change", found.pk), data).status_code == 403
