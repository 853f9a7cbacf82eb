"""What a file would do: planned row by row, nothing written; then done, if nothing changed."""

import json
from dataclasses import replace

import pytest

from curation.authoring.drafts import actions
from curation.exchange.execution import Changed, carry_out
from curation.exchange.models import Import
from curation.exchange.plans import PlannedRow, plan
from curation.exchange.rows import PROBLEMS, Row, parse
from curation.exchange.terms import ImportTerms
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from curation.problems.people.models import Credit
from curation.reviewing.rounds.lifecycle import submit_review
from phybench.files.problem_files import read
from phybench.people.models import Role, User
from tests.conftest import STATEMENT, accept, make_draft, make_person, name_person, submit

pytestmark = pytest.mark.django_db

NEW = {
    "id": "fall-1",
    "title": "A falling ball",
    "domain": "MECHANICS",
    "difficulty": "HIGH_SCHOOL",
    "statement": STATEMENT,
    "quantity": "E",
    "answer": "m g h",
    "symbols": [{"latex": "m", "meaning": "mass", "unit": "kg"}],
    "must_accept": ["g h m"],
    "must_reject": ["m h"],
    "solution": "Its energy above the ground is $m g h$.",
}


def drafts_of(person: User, benchmark: Benchmark) -> ImportTerms:
    return ImportTerms(Import.Purpose.DRAFTS, benchmark, person)


def parse_rows(*rows: dict) -> list[Row]:
    return parse(read(json.dumps(rows).encode(), PROBLEMS).rows)


def plan_one(terms: ImportTerms, **row) -> tuple[Row, PlannedRow]:
    rows = parse_rows(row)
    return rows[0], next(plan(rows, terms))


def say(planned: PlannedRow) -> list[str]:
    return [planned.action.value, *map(str, planned.faults)]


def write(terms: ImportTerms, *rows: dict) -> list[Problem]:
    parsed = parse_rows(*rows)
    return [
        carry_out(row, planned, terms)
        for row, planned in zip(parsed, plan(parsed, terms), strict=True)
    ]


def test_a_plan_writes_nothing(contributor, benchmark):
    _row, planned = plan_one(drafts_of(contributor, benchmark), **NEW)
    assert say(planned) == ["CREATE"]
    assert not Problem.objects.exists()


def test_a_new_row_becomes_a_draft_as_from_the_form(contributor, benchmark):
    [problem] = write(drafts_of(contributor, benchmark), NEW)
    draft = problem.revisions.get()
    assert (problem.author, problem.status, problem.benchmark) == (contributor, "DRAFT", benchmark)
    for name in ("title", "domain", "difficulty"):
        assert getattr(problem, name) == NEW[name]
    for name in ("statement", "quantity", "answer", "must_accept", "must_reject", "solution"):
        assert getattr(draft, name) == NEW[name]
    assert draft.symbol_rows[0].meaning == "mass"
    assert list(draft.writers.all()) == [contributor]


def test_the_same_file_again_has_nothing_to_do(contributor, benchmark):
    without_id = {name: value for name, value in NEW.items() if name != "id"}
    terms = drafts_of(contributor, benchmark)
    write(terms, NEW, {**without_id, "statement": STATEMENT + " Say why."})
    assert [
        planned.action
        for planned in plan(
            parse_rows(NEW, {**without_id, "statement": STATEMENT + " Say why."}), terms
        )
    ] == ["NOTHING", "NOTHING"]


def test_ones_own_name_for_a_problem_and_its_id_here_find_the_same_one(contributor, benchmark):
    terms = drafts_of(contributor, benchmark)
    [problem] = write(terms, NEW)
    for name in ("fall-1", problem.identifier):
        _row, planned = plan_one(terms, id=name, quantity="W")
        assert (planned.action, planned.changes, planned.problem_id) == (
            "UPDATE",
            ("quantity",),
            problem.pk,
        )


def test_two_people_may_use_the_same_name(contributor, benchmark):
    write(drafts_of(contributor, benchmark), NEW)
    other = make_person(Role.CONTRIBUTOR, "other")
    write(drafts_of(other, benchmark), NEW)
    assert Problem.objects.count() == 2


def test_a_row_changes_only_the_fields_that_it_has(contributor, benchmark, draft):
    terms = drafts_of(contributor, benchmark)
    before = draft.revisions.get()
    row, planned = plan_one(terms, id=draft.identifier, answer=r"m g h \cdot 1", title="Falling")
    assert planned.changes == ("answer", "title")
    carry_out(row, planned, terms)
    draft.refresh_from_db()
    after = draft.revisions.get()
    assert (draft.title, after.answer) == ("Falling", r"m g h \cdot 1")
    assert (after.statement, after.solution) == (before.statement, before.solution)


def test_of_a_returned_problem_the_next_revision_begins(contributor, reviewer, benchmark, draft):
    submit_review(
        review_round=submit(draft, contributor),
        reviewer=reviewer,
        recommendation="REVISE",
        comment="Say more.",
    )
    [problem] = write(drafts_of(contributor, benchmark), {"id": draft.identifier, "quantity": "E"})
    first, second = problem.revisions.order_by("number")
    assert (first.quantity, second.quantity, second.submitted_at) == ("", "E", None)


def test_a_co_author_may_change_it_too(contributor, benchmark, draft):
    other = make_person(Role.CONTRIBUTOR, "other")
    name_person(draft, contributor, other, Credit.Role.CO_AUTHOR)
    _row, planned = plan_one(drafts_of(other, benchmark), id=draft.identifier, quantity="E")
    assert planned.action == "UPDATE"


def test_what_is_in_review_or_accepted_is_not_changed(contributor, reviewer, benchmark, draft):
    terms = drafts_of(contributor, benchmark)
    submit(draft, contributor)
    _row, planned = plan_one(terms, id=draft.identifier, quantity="E")
    assert say(planned) == ["REFUSE", "it is in review: withdraw it to change it"]
    accepted = accept(make_draft(contributor, benchmark, title="Other"), contributor, reviewer)
    _row, planned = plan_one(terms, id=accepted.identifier, quantity="E")
    assert say(planned) == ["REFUSE", "it is accepted, so it can't be changed now"]
    _row, planned = plan_one(terms, id=accepted.identifier, answer="m g h")
    assert planned.action == "NOTHING"


# --- Whose it is ----------------------------------------------------------------------------


def test_somebody_elses_draft_is_as_if_it_were_not_there(benchmark, draft):
    other = make_person(Role.CONTRIBUTOR, "other")
    _row, planned = plan_one(drafts_of(other, benchmark), id=draft.identifier, title=draft.title)
    _row, of_none = plan_one(drafts_of(other, benchmark), id="C999999", title=draft.title)
    assert say(planned) == [
        "REFUSE",
        f"id: you have no problem {draft.identifier}: leave the id out to create a new one",
    ]
    assert say(of_none)[1].replace("C999999", draft.identifier) == say(planned)[1]
    assert planned.problem_id is None


@pytest.mark.parametrize("name", ["answer", "solution", "must_accept", "must_reject"])
def test_importing_guesses_does_not_tell_the_answer(benchmark, accepted_problem, name):
    other = make_person(Role.CONTRIBUTOR, "other")
    revision = accepted_problem.revisions.get()
    stored = getattr(revision, name) or ["m g h"]
    said = []
    for guess in (stored, ["m"] if isinstance(stored, list) else "m"):
        _row, planned = plan_one(
            drafts_of(other, benchmark), id=accepted_problem.identifier, **{name: guess}
        )
        said.append(say(planned))
    assert said[0] == said[1]
    assert said[0][0] == "REFUSE"


def test_of_somebody_elses_accepted_problem_the_statement_is_compared(benchmark, accepted_problem):
    other = drafts_of(make_person(Role.CONTRIBUTOR, "other"), benchmark)
    _row, same = plan_one(other, id=accepted_problem.identifier, statement=STATEMENT)
    _row, different = plan_one(other, id=accepted_problem.identifier, statement="Another.")
    assert say(same) == ["NOTHING"]
    assert say(different) == [
        "REFUSE",
        "this problem is not yours, and the file’s text differs: only its authors can change it",
    ]


# --- Rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"difficulty": ""}, "difficulty: it is not given; it can be HIGH_SCHOOL"),
        ({"statement": "x" * 20_001}, "statement: Ensure this value has at most 20000 characters"),
        ({"answer": "x" * 4097}, "answer: Ensure this value has at most 4096 characters"),
        ({"must_accept": ["m g h"] * 21}, "must_accept: At most 20 lines."),
    ],
)
def test_the_rules_of_the_form_hold_for_a_row(contributor, benchmark, fields, fault):
    terms = drafts_of(contributor, benchmark)
    _row, planned = plan_one(terms, **{**NEW, **fields})
    assert planned.action == "REFUSE"
    assert str(planned.faults[0]).startswith(fault)


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"answer": "E^2 = m g h"}, "answer", "other_quantity"),
        ({"answer": "0.5 m g h"}, "answer", "float"),
        ({"answer": "m g h Q"}, "answer", "not_introduced"),
        ({"statement": STATEMENT + " ![](a.png)"}, "statement", "image"),
        ({"solution": "<b>So</b>"}, "solution", "html"),
        ({"symbols": [{"latex": "m", "unit": "ounceish"}]}, "symbols", "symbol_table"),
    ],
)
def test_a_row_that_breaks_a_rule_becomes_a_draft_with_what_to_fix(
    contributor, benchmark, fields, field, code
):
    terms = drafts_of(contributor, benchmark)
    row, taken = plan_one(terms, **{**NEW, **fields})
    assert taken.action == "CREATE"
    assert (field, code) in [(fault.field, fault.code) for fault in taken.faults]
    assert carry_out(row, taken, terms).revisions.get().submitted_at is None


def test_what_is_no_choice_here_is_filled_in_and_said(contributor, benchmark):
    terms = replace(drafts_of(contributor, benchmark), domain="OPTICS")
    row, planned = plan_one(terms, **{**NEW, "domain": "ASTRONOMY", "language": "ZH"})
    assert planned.note == ("“ASTRONOMY” is not among the values of “domain”, so it is “optics”")
    made = carry_out(row, planned, terms)
    assert (made.domain, made.language) == ("OPTICS", "zh")


def test_a_row_without_words_gets_a_title_all_the_same(contributor, benchmark):
    [problem] = write(drafts_of(contributor, benchmark), {**NEW, "title": "", "statement": "$$x$$"})
    assert problem.title == "Problem fall-1"


def test_a_row_is_told_all_that_is_wrong_at_once(contributor, benchmark):
    row = {**NEW, "statement": "See figure 1.", "answer": "0.5 m", "source": "A book"}
    _row, planned = plan_one(drafts_of(contributor, benchmark), **row)
    assert {(fault.field, fault.code) for fault in planned.faults} >= {
        ("adaptation", "incomplete"),
        ("statement", "figure"),
        ("answer", "float"),
    }


def test_only_a_new_problem_gets_what_its_row_does_not_give(contributor, benchmark):
    rows = [NEW, {**NEW, "id": "fall-2", "domain": "", "difficulty": None, "title": ""}]
    terms = drafts_of(contributor, benchmark)
    chosen = replace(terms, domain="OPTICS", difficulty="OLYMPIAD")
    made = [(one.domain, one.difficulty) for one in write(chosen, *rows)]
    assert made == [("MECHANICS", "HIGH_SCHOOL"), ("OPTICS", "OLYMPIAD")]
    others = replace(terms, domain="MODERN", difficulty="UNDERGRADUATE")
    bare = [{**one, "domain": "", "difficulty": "", "title": ""} for one in rows]
    plans = list(plan(parse_rows(*bare), others))
    assert [(one.action, one.note) for one in plans] == [
        ("NOTHING", "already here, the same as in the file")
    ] * 2


# --- Published ones -------------------------------------------------------------------------


def test_a_published_problem_comes_with_all_that_is_said_of_it(admin, benchmark):
    terms = ImportTerms(Import.Purpose.PUBLISHED, benchmark, admin)
    [problem] = write(terms, {**NEW, "answer": "0.5 m g h"})
    revision = problem.revisions.get()
    assert (problem.identifier, problem.status, problem.author) == ("fall-1", "ACCEPTED", None)
    assert (revision.broken_rules, revision.must_accept) == (["float"], ["g h m"])
    assert problem.events.get().actor == admin


def test_a_published_problem_is_marked_with_what_can_not_be_displayed(admin, benchmark):
    terms = ImportTerms(Import.Purpose.PUBLISHED, benchmark, admin)
    statement = STATEMENT + r" Its speed is $\foo$."
    texts = {"statement": statement, "solution": r"\section{So}", "answer": "42"}
    [problem] = write(terms, {**NEW, **texts, "must_accept": []})
    found = set(problem.revisions.get().broken_rules)
    assert found >= {"formula", "bare_latex", "without_symbol"}


def test_a_draft_from_a_file_keeps_what_its_author_confirmed(contributor, benchmark):
    answer = r"\frac{157}{100} m g h"
    draft = make_draft(contributor, benchmark, answer=answer, exact=["157/100"])
    terms = drafts_of(contributor, benchmark)
    row = {"id": draft.identifier, "solution": "Otherwise."}
    assert plan_one(terms, **row)[1].faults == ()
    unconfirmed = plan_one(terms, **{**NEW, "id": "", "answer": answer, "must_accept": []})[1]
    assert [fault.code for fault in unconfirmed.faults] == ["rounded"]


# --- What changed meanwhile -----------------------------------------------------------------


def test_what_was_changed_since_is_refused_and_left_as_it_is(contributor, benchmark, draft):
    terms = drafts_of(contributor, benchmark)
    row, planned = plan_one(terms, id=draft.identifier, quantity="E")
    saved = draft.revisions.get().saved_at.isoformat()
    actions.save_draft(problem=draft, author=contributor, saved_at=saved, quantity="W")
    with pytest.raises(Changed, match="changed after this was planned"):
        carry_out(row, planned, terms)
    assert draft.revisions.get().quantity == "W"


def test_what_was_deleted_or_made_since_is_refused(contributor, benchmark, draft):
    terms = drafts_of(contributor, benchmark)
    row, planned = plan_one(terms, id=draft.identifier, quantity="E")
    actions.delete_draft(problem=draft, author=contributor)
    with pytest.raises(Changed):
        carry_out(row, planned, terms)
    row, planned = plan_one(terms, **NEW)
    carry_out(row, planned, terms)
    with pytest.raises(Changed):
        carry_out(row, planned, terms)
    assert Revision.objects.count() == 1


def test_a_plan_asks_as_often_for_three_published_problems_of_others_as_for_one(
    contributor, reviewer, participant, benchmark, django_assert_num_queries
):
    drafts = [make_draft(contributor, benchmark) for _number in range(3)]
    problems = [accept(draft, contributor, reviewer) for draft in drafts]
    participant.roles = [Role.CONTRIBUTOR, Role.PARTICIPANT]
    terms = drafts_of(participant, benchmark)
    rows = [{"id": problem.identifier, "statement": STATEMENT} for problem in problems]
    for some in (rows[:1], rows):
        parsed = parse_rows(*some)
        with django_assert_num_queries(3):
            assert {planned.action for planned in plan(parsed, terms)} == {"NOTHING"}


def test_a_plan_asks_the_bank_as_often_for_three_rows_as_for_one(
    contributor, benchmark, django_assert_num_queries
):
    terms = drafts_of(contributor, benchmark)
    rows = [{**NEW, "id": f"fall-{number}"} for number in range(3)]
    write(terms, *rows)
    changed = [{**row, "quantity": "W"} for row in rows]
    for some in (changed[:1], changed):
        parsed = parse_rows(*some)
        with django_assert_num_queries(3):
            assert {planned.action for planned in plan(parsed, terms)} == {"UPDATE"}
