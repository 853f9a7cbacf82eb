"""
Each constraint and each trigger of the database is broken once by SQL, and refuses by its name.

With all other rules of its table off, rows are made up until one breaks the rule. So it is seen of
each that it is there and that it can refuse something; that it refuses the right thing is what the
tests of its room show. What rules there are is a golden file (`rules.csv`): one that is lost is
seen there.
"""

import re
from collections.abc import Callable, Mapping, Sequence

import psycopg
import pytest
from django.db import DatabaseError, transaction

from phybench.work import budgets
from tests.rules import (
    NOT_OURS,
    Values,
    ask,
    drop_others,
    insert,
    list_columns,
    list_constraints,
    list_triggers,
    list_unique,
    make_texts,
    search,
)

pytestmark = pytest.mark.django_db

AT = "'2000-01-01'::timestamptz"
SUBMITTED = ("curation_revision", {"id": "0", "problem_id": "0", "submitted_at": AT})
ADOPTED = ("grading_gradingrun", {"id": "0", "adopted_at": AT})
GIVEN: Mapping[str, Sequence[tuple[str, Values]]] = {
    "curation_certificate: certificate_of_a_submitted_problem_stays": [SUBMITTED],
    "curation_credit: credit_of_a_submitted_problem_stays": [SUBMITTED],
    "curation_event: event_of_a_submitted_problem_stays": [SUBMITTED],
    "curation_problem: submitted_problem_stays_in_its_benchmark": [SUBMITTED],
    "curation_revision_writers: writers_of_a_submitted_revision_stay": [SUBMITTED],
    "curation_versionitem: item_of_a_published_version_is_frozen": [
        ("curation_benchmarkversion", {"id": "0", "published_at": AT})
    ],
    "curation_versionquestion: no_question_is_added_to_a_version_in_use": [
        ("curation_reviewround", {"version_id": "0"})
    ],
    "grading_attempt: failed_attempt_has_no_grade": [
        ADOPTED,
        ("grading_grade", {"run_id": "0", "attempt_id": "0"}),
    ],
    "grading_auditadjudication: adjudicator_gave_no_label": [("grading_auditlabel", {})],
    "grading_auditlabel: adjudicated_label_is_not_taken_back": [("grading_auditadjudication", {})],
    "grading_auditsample: complete_sample_is_settled": [("grading_audititem", {"outcome": "''"})],
    "grading_firsterroradjudication: adjudicator_gave_no_label": [("grading_firsterrorlabel", {})],
    "grading_firsterrorlabel: adjudicated_label_is_not_taken_back": [
        ("grading_firsterroradjudication", {})
    ],
    "grading_firsterrorsample: complete_sample_is_settled": [
        ("grading_firsterroritem", {"outcome": "''"})
    ],
    "grading_session: who_sits_a_session_is_written_down": [
        ("phybench_user", {"id": "0"}),
        ("grading_participation", {"id": "0", "person_id": "0"}),
    ],
    "grading_studyitem: pool_of_a_frozen_study_stays": [("grading_preregistration", {})],
    "grading_trialanswer: trial_answer_goes_with_its_calls": [
        ("grading_modelcall", {"run_id": "0", "item": "0"})
    ],
    "grading_ungraded: reason_of_a_run_that_counted_stays": [ADOPTED],
}
"""Rows that a trigger looks for, by its table and name; keys that are made up are 0."""
OWN: Mapping[str, Values] = {
    "grading_judgerun: judge_run_compares_what_can_be": {"other_id": "0"},
    "grading_panel: panel_is_as_large_as_it_says": {"size": "2"},
}
"""What a row has to say of itself, where the condition of the trigger does not tell."""
COUNTS = re.compile(r"answers_that_\w+_are_counted")
"""Triggers that refuse nothing (`grading/answers/counting.py`)."""


def refuse(act: Callable[[], None], name: str) -> str:
    """Return "" where an act is refused by this rule, and else what came of it."""
    try:
        with transaction.atomic():
            # Triggers and foreign keys have nothing to say, but for one that is said to.
            ask("SET LOCAL session_replication_role = replica")
            act()
            transaction.set_rollback(True)
            return f"{name}: nothing was refused"
    except DatabaseError as error:
        cause = error.__cause__
        assert isinstance(cause, psycopg.Error)
        named = f"{cause.diag.constraint_name} {cause.diag.context} {error}"
        return "" if re.search(rf"\b{name}", named) else f"{name}: {error}"


def break_check(table: str, name: str, names: list[str], rule: str) -> str:
    columns = list_columns(table)
    values = search(columns, names, f"NOT ({rule})")
    if values is None:
        return f"{name}: nothing breaks {rule}"

    def act() -> None:
        drop_others(table, name)
        insert(table, columns, values)

    return refuse(act, name)


def break_unique(table: str, name: str, definition: str, rule: str) -> str:
    columns = list_columns(table)
    said = f"{definition} {rule}"
    needed = [
        column for column in columns if column != "id" and re.search(rf"(?<!')\b{column}\b", said)
    ]
    present = [f'"{column}" IS NOT NULL' for column in needed if f"{column} IS NULL" not in rule]
    values = search(columns, needed, " AND ".join([rule, *present]))
    if values is None:
        return f"{name}: nothing is under {rule}"

    def act() -> None:
        drop_others(table, name)
        for _time in range(2):
            insert(table, columns, values)

    return refuse(act, name)


def break_foreign_key(table: str, name: str, names: list[str], _rule: str) -> str:
    columns = list_columns(table)

    def act() -> None:
        ask("SET LOCAL session_replication_role = DEFAULT")
        ask(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        drop_others(table, "")
        insert(table, columns, {name: f"-1::{columns[name].type}" for name in names})
        ask(f'SET CONSTRAINTS "{name}" IMMEDIATE')

    return refuse(act, name)


def break_trigger(table: str, name: str, definition: str) -> str:
    columns = list_columns(table)
    title = f"{table}: {re.sub(r'^pgtrigger_|_[0-9a-f]{5}$', '', name)}"
    own = OWN.get(title, {}) | ({"id": "0"} if "id" in columns else {})
    [events] = re.findall(r"(?:BEFORE|AFTER) (.*?) ON ", definition)
    rule = (re.findall(r" WHEN \((.*)\) EXECUTE", definition) or ["true"])[0]
    failures = []
    for event in re.findall(r"INSERT|UPDATE|DELETE", events):
        if event == "INSERT" and "old." in rule:
            continue
        named = re.findall(r"\b(old|new)\.\"?(\w+)", rule)
        names = list(dict.fromkeys(f"{side}.{column}" for side, column in named))
        if event == "UPDATE" and "old." not in rule:
            names += [place.replace("new.", "old.") for place in names]
        values = search(columns, names, rule)
        if values is None:
            failures.append(f"{name}: nothing is under {rule}")
            continue
        old = {place[4:]: value for place, value in values.items() if place.startswith("old.")}
        new = {place[4:]: value for place, value in values.items() if place.startswith("new.")}

        def act(event: str = event, old: Values = old, new: Values = new) -> None:
            drop_others(table, "")
            for other, given in GIVEN.get(title, ()):
                drop_others(other, "")
                insert(other, list_columns(other), given)
            if event != "INSERT":
                insert(table, columns, own | old)
            ask(f'ALTER TABLE {table} ENABLE ALWAYS TRIGGER "{name}"')
            if event == "INSERT":
                insert(table, columns, own | new)
            elif event == "UPDATE":
                changed = {column: f'"{column}"' for column in columns} | new
                ask(f"UPDATE {table} SET " + ", ".join(f'"{a}" = {b}' for a, b in changed.items()))
            else:
                ask(f"DELETE FROM {table}")
            ask("SET CONSTRAINTS ALL IMMEDIATE")

        if failure := refuse(act, name):
            failures.append(f"{event}: {failure}")
    return "; ".join(failures)


@pytest.mark.parametrize(
    ("kind", "break_one"), [("c", break_check), ("f", break_foreign_key)], ids=["checks", "keys"]
)
def test_each_constraint_refuses_what_breaks_it(
    kind: str, break_one: Callable[[str, str, list[str], str], str]
) -> None:
    failures = [
        break_one(*one) for one in list_constraints(kind) if not one[0].startswith(NOT_OURS)
    ]
    assert len(failures) > 100
    assert not any(failures), "\n".join(filter(None, failures))


def test_what_is_to_be_unique_is_not_taken_twice() -> None:
    failures = [break_unique(*one) for one in list_unique() if not one[0].startswith(NOT_OURS)]
    assert len(failures) > 50
    assert not any(failures), "\n".join(filter(None, failures))


def test_each_trigger_refuses_what_breaks_it() -> None:
    failures = [break_trigger(*one) for one in list_triggers() if not COUNTS.search(one[1])]
    assert len(failures) > 200
    assert not any(failures), "\n".join(filter(None, failures))


def test_no_text_is_too_long_for_an_index() -> None:
    indexed = ask(
        "SELECT indrelid::regclass::text, string_agg(pg_get_indexdef(indexrelid), ' ')"
        " FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
        " WHERE relnamespace = 'public'::regnamespace"
        # Its keys are the code's own.
        f" AND indrelid <> '{budgets.TABLE}'::regclass GROUP BY 1 ORDER BY 1"
    )
    failures = []
    for table, definitions in indexed:
        columns = list_columns(table)
        texts = [
            column
            for column in columns.values()
            if column.type.startswith(("character varying", "text"))
            if not column.type.endswith("[]")
            if re.search(rf"\b{column.name}\b", definitions)
        ]
        longest = [int((re.findall(r"\d+", column.type) or ["20000"])[0]) for column in texts]
        for kind in zip(*map(make_texts, longest), strict=True):
            try:
                with transaction.atomic():
                    ask("SET LOCAL session_replication_role = replica")
                    drop_others(table, "", kinds="c")
                    row = zip(texts, kind, strict=True)
                    insert(
                        table, columns, {column.name: f"$text${text}$text$" for column, text in row}
                    )
                    transaction.set_rollback(True)
            except DatabaseError as error:
                failures += [f"{table}: {error}"] if "index row" in str(error) else []
    assert len(indexed) > 100
    assert not failures, "\n".join(failures)
