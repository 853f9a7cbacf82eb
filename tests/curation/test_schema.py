"""Every field of a problem goes all its ways: form, autosave, file, revision, comparison, API."""

import json
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from curation.authoring.drafts import actions
from curation.exchange.rows import PROBLEMS, parse
from curation.problems.benchmarks.models import Benchmark
from curation.problems.fields import list_choices
from curation.problems.models import Problem, Revision
from curation.problems.views import describe_changes
from curation.texts.schema import (
    ASKED,
    BY_NAME,
    EXPORTED,
    FIELDS,
    KEY_FIELDS,
    SCHEMA,
    TEXTS,
    WRITTEN,
    Field,
    Kind,
)
from curation.texts.workflow import Status
from curation.versions.exchange.exports import choose, describe, write
from curation.versions.hashes import describe_asked
from grading.submissions.task_files import give_problems
from phybench.files.problem_files import read
from phybench.people.models import Role, User
from tests.conftest import accept, make_draft, make_person
from tests.curation.drafts.editor import fields, rows
from tests.curation.exchange.test_plans import drafts_of
from tests.curation.exchange.test_plans import write as bring_in
from tests.versions import publish_version

pytestmark = pytest.mark.django_db

SYMBOL = {"latex": "q", "meaning": "marked", "unit": "kg", "sign": "any", "low": "", "high": "7"}
MARKED: dict[Kind, Any] = {
    Kind.LINE: "marked line",
    Kind.FORMULA: "Q_{77}",
    Kind.TEXT: "A marked text with $q_{77}$.",
    Kind.INLINE_LIST: ["q_{77}", "h"],
    Kind.LINES: ["q_{77} + 1", "q_{78}"],
    Kind.SYMBOLS: [SYMBOL],
    Kind.LEFT_OUT: ["q_{77}"],
    Kind.EXACT: ["157/100"],
}
"""A value for each kind of field, found again wherever it goes."""
BY_FIELD = [pytest.param(field, id=field.name) for field in WRITTEN]


def mark(field: Field) -> Any:
    if field.kind is Kind.CHOICE:
        # The second: the first may be where it begins.
        return list_choices(field)[1][0]
    return MARKED[field.kind]


def fill_in(field: Field) -> dict[str, Any]:
    """Return what a browser sends where the marked value is typed."""
    value = mark(field)
    match field.kind:
        case Kind.SYMBOLS:
            return rows(tuple(SYMBOL.values()))
        case Kind.LEFT_OUT:
            return {"symbol_left_out": value}
        case Kind.INLINE_LIST:
            return {field.name: ", ".join(value)}
        case Kind.LINES:
            return {field.name: "\n".join(value)}
        case _:
            return {field.name: value}


def write_draft(author: User, benchmark: Benchmark, **told: Any) -> Problem:
    """Write a draft that the grader has added nothing to."""
    facts = {"title": "A ball", "domain": "MECHANICS", "difficulty": "OLYMPIAD", **told}
    return actions.create_draft(author=author, benchmark=benchmark, **facts)


def find(problem: Problem, field: Field) -> Any:
    return getattr(problem if field.of_problem else problem.revisions.latest("number"), field.name)


@pytest.mark.parametrize("field", BY_FIELD)
def test_what_is_typed_is_stored_and_stands_in_the_form_again(
    client, contributor, benchmark, field
):
    client.force_login(contributor)
    client.post(
        reverse("curation:new", args=["test"]) + "?part=save",
        {**fields(benchmark), **fill_in(field)},
    )
    problem = Problem.objects.get()
    assert find(problem, field) == mark(field)
    page = client.get(reverse("curation:edit", args=[problem.pk]))
    assert page.context["form"][field.name].value() == page.context["form"].fields[
        field.name
    ].prepare_value(mark(field))
    name = {Kind.SYMBOLS: "symbol_latex", Kind.LEFT_OUT: "symbol_left_out"}
    if field.name != "reason" and field.kind is not Kind.EXACT:
        # Of a first revision no reason is asked; a fraction is asked about where there is one.
        assert f'name="{name.get(field.kind, field.name)}"' in page.content.decode()


@pytest.mark.parametrize("field", BY_FIELD)
def test_the_next_revision_begins_with_it(contributor, benchmark, field):
    problem = write_draft(contributor, benchmark, **{field.name: mark(field)})
    first = problem.revisions.get()
    first.submitted_at = first.saved_at
    first.save()
    Problem.objects.filter(pk=problem.pk).update(status=Status.RETURNED)
    actions.save_draft(problem=problem, author=contributor, saved_at="", title="Again")
    problem.refresh_from_db()
    kept = {"title": "Again", "reason": ""}.get(field.name, mark(field))
    assert find(problem, field) == kept


@pytest.mark.parametrize("file_format", ["JSON", "CSV"])
@pytest.mark.parametrize("name", [name for name in FIELDS if name != "id"])
def test_what_is_exported_is_imported(contributor, benchmark, name, file_format):
    field = BY_NAME[name]
    problem = write_draft(contributor, benchmark, **{name: mark(field)})
    told = [one for one in EXPORTED if one != "id"]
    chosen = choose(Problem.objects.all(), contributor)
    text = "".join(write(file_format, told, describe(chosen, told)))
    [row] = parse(read(text.encode(), PROBLEMS).rows)
    terms = drafts_of(make_person(Role.CONTRIBUTOR, "other"), benchmark)
    [copy] = bring_in(terms, row.values)
    assert copy.pk != problem.pk
    assert find(copy, field) == mark(field)


@pytest.mark.parametrize(
    "field",
    # A symbol that was taken out is missing in the table, which is compared.
    [pytest.param(BY_NAME[name], id=name) for name in sorted(TEXTS - {"left_out"})],
)
def test_a_change_of_it_is_shown(contributor, benchmark, field):
    before = make_draft(contributor, benchmark).revisions.get()
    after = Revision.objects.get(pk=before.pk)
    same = render_to_string("curation/_changes.html", describe_changes(before, after))
    setattr(after, field.name, mark(field))
    assert render_to_string("curation/_changes.html", describe_changes(before, after)) != same


def test_solvers_and_programs_get_what_is_asked_and_nothing_of_the_key(
    contributor, reviewer, evaluator, benchmark
):
    marked = {field.name: mark(field) for field in WRITTEN if field.name in KEY_FIELDS}
    asked = {"quantity": "E", "unit": "J", "terms": ["m", "g", "h"], "conditions": ["h > 0"]}
    marked |= {"answer": "m g h", "must_accept": ["h m g"], "must_reject": ["7 m g h"], **asked}
    problem = accept(make_draft(contributor, benchmark, **marked), contributor, reviewer)
    revision = problem.accepted_revision
    assert revision is not None
    told = json.dumps(describe_asked(revision)) + json.dumps(
        give_problems(publish_version(benchmark).items.all(), evaluator)
    )
    assert {*describe_asked(revision)} == {*ASKED}
    for name in (*ASKED, *KEY_FIELDS & TEXTS):
        values = getattr(revision, name)
        for value in values if isinstance(values, list) else [values]:
            if name != "symbols":
                assert (json.dumps(value)[1:-1] in told) is (name in ASKED), name


def test_every_field_is_a_column_or_a_fact():
    columns = {one.name for model in (Problem, Revision) for one in model._meta.get_fields()}
    assert {field.name for field in SCHEMA if field.is_written} <= columns
