"""
The rules of the database as PostgreSQL lists them, and rows that are made up to break one.

Nothing here knows our tables: a row is made of the columns that it has, and of values that a rule
names and what is near them.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

Values = dict[str, str]
"""What each column of a row is set to, as SQL."""
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
            candidates = [f"{text}::{self.type}" for text in self.list_texts(rule)]
        elif self.type.startswith(NUMBERS):
            named = {float(number) for number in re.findall(r"(?<![\w.'])\d+(?:\.\d+)?", rule)}
            near = {number + step for number in {0.0, *named} for step in (-1, 0, 1)}
            is_whole = not self.type.startswith(("double", "numeric"))
            candidates = [
                f"{int(number) if is_whole else number}::{self.type}"
                for number in sorted(near, key=lambda number: (number < 0, abs(number)))
                if abs(number) < 30_000
            ]
        else:
            [kind] = [kind for kind in BY_TYPE if self.type.startswith(kind)]
            candidates = [*BY_TYPE[kind]]
        return [*candidates, f"NULL::{self.type}"] if self.is_optional else candidates

    def list_texts(self, rule: str) -> list[str]:
        named = re.findall(r"'((?:[^']|'')*)'::(?:text|character varying)", rule)
        most = int((re.findall(r"\((\d+)\)", self.type) or ["100"])[0])
        texts = dict.fromkeys(["x", "", "y", *named, "x" * 64])
        return [f"'{text}'" for text in texts if len(text) <= most]


def ask(statement: str, parameters: Sequence[object] = ()) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters or None)
        return cursor.fetchall() if cursor.description else []


def list_columns(table: str) -> dict[str, Column]:
    rows = ask(
        "SELECT attname, format_type(atttypid, atttypmod), NOT attnotnull FROM pg_attribute"
        " WHERE attrelid = %s::regclass AND attnum > 0 AND attgenerated = '' AND NOT attisdropped",
        [table],
    )
    return {row[0]: Column(*row) for row in rows}


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
    places = ask(f"SELECT {', '.join(chosen)} FROM {', '.join(made)} WHERE {rule} LIMIT 1")
    if not places:
        return None
    return {
        name: tried[number]
        for name, tried, number in zip(names, candidates, places[0], strict=True)
    }


def insert(table: str, columns: Mapping[str, Column], values: Values) -> None:
    row = {
        name: column.list_candidates("")[0]
        for name, column in columns.items()
        if not column.is_optional and name != "id"
    } | values
    names, given = ", ".join(f'"{name}"' for name in row), ", ".join(row.values())
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


def make_texts(length: int) -> Iterator[str]:
    """Make texts of some length that no compression makes short, of letters that people use."""
    drawing = random.Random(length)
    formulas = "".join(rf"$x_{{\mathrm{{abc{number}}}}}$ " for number in range(length // 18 + 1))
    for letters in ("abcdefghijklmnopqrstuvwxyz", GREEK, CHINESE, EMOJI):
        yield "".join(drawing.choices(letters, k=length))
    yield formulas[:length]
