"""
Each constraint and each trigger of the database is broken once by SQL, and refuses by its name.

With all other rules of its table off, rows are made up until one breaks the rule. So it is seen of
each that it is there and that it can refuse something; that it refuses the right thing is what the
tests of its room show. What rules there are is a golden file (`rules.csv`):
one that is lost is seen there.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

pytestmark = pytest.mark.django_db

Values = dict[str, str]
"""What each column of a row is set to, as SQL."""
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
BY_TYPE: Mapping[str, Sequence[str]] = {
    "boolean": ["true", "false"],
    "bytea": ["'x'::bytea", "''::bytea"],
    "date": ["'2000-01-02'::date", "'2000-01-01'::date"],
    "inet": ["'127.0.0.1'::inet"],
    "jsonb": ["'{}'::jsonb", "'[]'::jsonb", "'[1]'::jsonb", "'\"x\"'::jsonb"],
    "timestamp with time zone": ["'2000-01-02'::timestamptz", "'2000-01-01'::timestamptz"],
    "uuid": ["'00000000-0000-0000-0000-000000000000'::uuid"],
}
FEW = 9
"""Columns of a rule, of which all candidates are tried."""
GREEK = "".join(map(chr, range(0x3B1, 0x3CA)))
CHINESE = "".join(map(chr, range(0x4E00, 0x5E00)))
EMOJI = "".join(map(chr, range(0x1F300, 0x1F600)))
NOT_OURS = ("django_", "auth_")
NUMBERS = ("bigint", "double precision", "integer", "numeric", "smallint")


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    is_optional: bool

    def list_candidates(self, rule: str) -> list[str]:
        """List values to try in a rule, in SQL: those that it names, and what is near them."""
        candidates: list[str] = []
        if self.type.endswith("[]"):
            item = "1" if self.type.startswith(NUMBERS) else "'x'"
            candidates = [f"'{{}}'::{self.type}", f"array[{item}]::{self.type}"]
        elif self.type.startswith(("character varying", "text")):
            candidates = [f"{one}::{self.type}" for one in self.list_texts(rule)]
        elif self.type.startswith(NUMBERS):
            named = {float(one) for one in re.findall(r"(?<![\w.'])\d+(?:\.\d+)?", rule)}
            near = {one + step for one in {0.0, *named} for step in (-1, 0, 1)}
            is_whole = not self.type.startswith(("double", "numeric"))
            candidates = [
                f"{int(one) if is_whole else one}::{self.type}"
                for one in sorted(near, key=lambda one: (one < 0, abs(one)))
                if abs(one) < 30_000
            ]
        else:
            [kind] = [kind for kind in BY_TYPE if self.type.startswith(kind)]
            candidates = [*BY_TYPE[kind]]
        return [*candidates, f"NULL::{self.type}"] if self.is_optional else candidates

    def list_texts(self, rule: str) -> list[str]:
        named = re.findall(r"'((?:[^']|'')*)'::(?:text|character varying)", rule)
        most = int((re.findall(r"\((\d+)\)", self.type) or ["100"])[0])
        texts = dict.fromkeys(["x", "", "y", *named, "x" * 64])
        return [f"'{one}'" for one in texts if len(one) <= most]


def ask(statement: str, parameters: Sequence[object] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters or None)
        return cursor.fetchall() if cursor.description else []


def list_columns(table: str) -> dict[str, Column]:
    found = ask(
        "SELECT attname, format_type(atttypid, atttypmod), NOT attnotnull FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped",
        [table],
    )
    return {row[0]: Column(*row) for row in found}


def search(columns: Mapping[str, Column], names: Sequence[str], rule: str) -> Values | None:
    """
    Make up values of some columns, named as the rule names them, for which the rule holds.

    All that can be made up is tried in one statement, which ends with the first that does.
    """
    if not names:
        return {} if rule == "true" else None
    sides: dict[str, list[str]] = {}
    chosen, candidates = [], []
    for place, name in enumerate(names):
        side, _dot, column = name.rpartition(".")
        tried = columns[column].list_candidates(rule)
        tried = tried if len(names) < FEW else tried[:2]
        rows = ", ".join(f"({number}, {value})" for number, value in enumerate(tried))
        sides.setdefault(side or "made", []).append(
            f'(VALUES {rows}) AS v{place} (i{place}, "{column}")'
        )
        chosen.append(f"i{place}")
        candidates.append(tried)
    made = [f"(SELECT * FROM {', '.join(own)}) AS {side}" for side, own in sides.items()]
    found = ask(f"SELECT {', '.join(chosen)} FROM {', '.join(made)} WHERE {rule} LIMIT 1")
    if not found:
        return None
    return {
        name: tried[number] for name, tried, number in zip(names, candidates, found[0], strict=True)
    }


def insert(table: str, columns: Mapping[str, Column], values: Values) -> None:
    row = {
        name: column.list_candidates("")[0]
        for name, column in columns.items()
        if not column.is_optional and name != "id"
    } | values
    names, given = ", ".join(f'"{one}"' for one in row), ", ".join(row.values())
    ask(f"INSERT INTO {table} ({names}) VALUES ({given})")


def list_constraints(kind: str) -> list[Any]:
    """List the table, name, columns and rule of each constraint of a kind."""
    return ask(
        "SELECT c.conrelid::regclass::text, c.conname, array(SELECT attname::text"
        " FROM unnest(c.conkey) AS k JOIN pg_attribute ON attrelid = c.conrelid AND attnum = k),"
        " coalesce(pg_get_expr(c.conbin, c.conrelid), '') FROM pg_constraint AS c"
        " WHERE c.connamespace = 'public'::regnamespace AND c.contype = %s ORDER BY 1, 2",
        [kind],
    )


def list_unique() -> list[Any]:
    """List the table, name, columns and condition of what has to be unique, but for keys."""
    return ask(
        "SELECT i.indrelid::regclass::text, x.relname,"
        " substring(pg_get_indexdef(x.oid) from ' USING btree (.*)'),"
        " coalesce(pg_get_expr(i.indpred, i.indrelid), 'true') FROM pg_index AS i"
        " JOIN pg_class AS x ON x.oid = i.indexrelid"
        " WHERE i.indisunique AND NOT i.indisprimary"
        " AND x.relnamespace = 'public'::regnamespace ORDER BY 1, 2"
    )


def list_triggers() -> list[Any]:
    return ask(
        "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger"
        " WHERE NOT tgisinternal ORDER BY 1, 2"
    )


def drop_others(table: str, name: str, kinds: str = "cux") -> None:
    """Leave of a table's rules, but for its key, only this one; of its checks alone, by "c"."""
    for [other] in ask(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND conname <> %s"
        " AND contype = ANY(%s)",
        [table, name, list(kinds)],
    ):
        ask(f'ALTER TABLE {table} DROP CONSTRAINT "{other}"')
    if "u" not in kinds:
        return
    for [other] in ask(
        "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass"
        " AND indisunique AND NOT indisprimary AND indexrelid <> to_regclass(quote_ident(%s))",
        [table, name],
    ):
        ask(f"DROP INDEX {other}")


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
    needed = [one for one in columns if one != "id" and re.search(rf"(?<!')\b{one}\b", said)]
    present = [f'"{one}" IS NOT NULL' for one in needed if f"{one} IS NULL" not in rule]
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
        insert(table, columns, {one: f"-1::{columns[one].type}" for one in names})
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
        found = re.findall(r"\b(old|new)\.\"?(\w+)", rule)
        names = list(dict.fromkeys(f"{side}.{column}" for side, column in found))
        if event == "UPDATE" and "old." not in rule:
            names += [one.replace("new.", "old.") for one in names]
        values = search(columns, names, rule)
        if values is None:
            failures.append(f"{name}: nothing is under {rule}")
            continue
        old = {one[4:]: value for one, value in values.items() if one.startswith("old.")}
        new = {one[4:]: value for one, value in values.items() if one.startswith("new.")}

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
                changed = {one: f'"{one}"' for one in columns} | new
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
    failures = [break_trigger(*one) for one in list_triggers()]
    assert len(failures) > 200
    assert not any(failures), "\n".join(filter(None, failures))


def make_texts(length: int) -> Iterator[str]:
    """Make texts of some length that no compression makes short, of letters that people use."""
    drawing = random.Random(length)
    formulas = "".join(rf"$x_{{\mathrm{{abc{number}}}}}$ " for number in range(length // 18 + 1))
    for letters in ("abcdefghijklmnopqrstuvwxyz", GREEK, CHINESE, EMOJI):
        yield "".join(drawing.choices(letters, k=length))
    yield formulas[:length]


def test_no_text_is_too_long_for_an_index() -> None:
    indexed = ask(
        "SELECT indrelid::regclass::text, string_agg(pg_get_indexdef(indexrelid), ' ')"
        " FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
        " WHERE relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1"
    )
    failures = []
    for table, definitions in indexed:
        columns = list_columns(table)
        texts = [
            one
            for one in columns.values()
            if one.type.startswith(("character varying", "text")) and not one.type.endswith("[]")
            if re.search(rf"\b{one.name}\b", definitions)
        ]
        longest = [int((re.findall(r"\d+", one.type) or ["20000"])[0]) for one in texts]
        for kind in zip(*map(make_texts, longest), strict=True):
            try:
                with transaction.atomic():
                    ask("SET LOCAL session_replication_role = replica")
                    drop_others(table, "", kinds="c")
                    row = zip(texts, kind, strict=True)
                    insert(table, columns, {one.name: f"$text${text}$text$" for one, text in row})
                    transaction.set_rollback(True)
            except DatabaseError as error:
                failures += [f"{table}: {error}"] if "index row" in str(error) else []
    assert len(indexed) > 100
    assert not failures, "\n".join(failures)
