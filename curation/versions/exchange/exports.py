"""Write problems to a file: whose, which fields, in which format; each time is written down."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils import timezone

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import begin_slot
from curation.problems.models import Problem, ProblemQuerySet, Revision
from curation.problems.permissions import list_in_charge
from curation.texts.references.reference import SymbolRow
from curation.texts.schema import BY_NAME, EXPORTED, KEY_FIELDS
from curation.versions.exchange.models import Download
from curation.versions.permissions import can_export_key
from phybench.files.cells import defuse
from phybench.people.models import User

PART_OF = {
    "statement": ledger.Part.STATEMENT,
    "solution": ledger.Part.SOLUTION,
    **dict.fromkeys(KEY_FIELDS - {"solution"}, ledger.Part.ANSWER),
}
"""Which part of a problem a field shows, or tells of."""
AT_ONCE = 500
"""Texts that are fetched with one query while a file is written."""
ENDINGS = {"JSON": "json", "JSONL": "jsonl", "CSV": "csv"}
CONTENT_TYPES = {
    "JSON": "application/json",
    "JSONL": "application/jsonl; charset=utf-8",
    "CSV": "text/csv; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class ChosenProblem:
    """A problem that goes into a file, with the text of it that its reader may have."""

    problem: Problem
    revision_id: int
    has_key: bool
    is_submitted: bool


def choose(problems: ProblemQuerySet, person: User | None) -> list[ChosenProblem]:
    """
    List what of `problems` may be taken out, in their order; four queries, however many.

    Args:
        person: who takes it out: of their own the newest text, of others' the newest submitted
            one, without the key. None is a command, which may have everything.
    """
    listed = list(problems.select_related("benchmark", "author").prefetch_related("credits"))
    newest: dict[int, int] = {}
    submitted: dict[int, int] = {}
    all_submitted: set[int] = set()
    texts = Revision.objects.filter(problem__in=[one.pk for one in listed]).order_by("number")
    for pk, problem_id, submitted_at in texts.values_list("pk", "problem_id", "submitted_at"):
        newest[problem_id] = pk
        if submitted_at is not None:
            submitted[problem_id] = pk
            all_submitted.add(pk)
    chosen = []
    for problem in listed:
        has_key = person is None or can_export_key(person, problem)
        revision_id = (newest if has_key else submitted).get(problem.pk)
        if problem.is_published and not (has_key and problem.is_in_correction):
            # Whatever was begun since: this is what answers are graded against.
            revision_id = problem.accepted_revision_id
        if revision_id is not None:
            is_submitted = revision_id in all_submitted
            chosen.append(ChosenProblem(problem, revision_id, has_key, is_submitted))
    return chosen


def count_choosable(problems: ProblemQuerySet, person: User) -> tuple[int, int]:
    """Count what `choose` would list, and those of it with their keys, without fetching any."""
    own = Q(pk__in=list_in_charge(person).values("pk"))
    submitted = Exists(Revision.objects.submitted().filter(problem=OuterRef("pk")))
    counts = problems.order_by().aggregate(
        all=Count("pk", filter=own | Q(submitted)), own=Count("pk", filter=own)
    )
    return counts["all"], counts["own"]


def record(
    chosen: Sequence[ChosenProblem],
    *,
    person: User | None,
    file_format: Download.Format,
    fields: Iterable[str],
    asked: str,
) -> Download:
    """Write down that somebody takes these out, before the first byte leaves."""
    fields = list(fields)
    if person is not None:
        ledger.write(person, ledger.Reason.EXPORT, _list_shown(chosen, fields))
    with_keys = [one.revision_id for one in chosen if one.has_key] if KEY_FIELDS & {*fields} else []
    return Download.objects.create(
        person=person,
        format=file_format,
        fields=fields,
        has_keys=bool(with_keys),
        revisions=[one.revision_id for one in chosen],
        revisions_with_keys=with_keys,
        asked=asked,
    )


def record_once(
    chosen: Sequence[ChosenProblem],
    *,
    person: User,
    file_format: Download.Format,
    fields: Iterable[str],
    asked: str,
) -> None:
    """Write down what has an address; who fetches the same again in ten minutes is there once."""
    same = Download.objects.filter(
        person=person,
        format=file_format,
        asked=asked,
        revisions=[one.revision_id for one in chosen],
        at__gte=begin_slot(timezone.now()),
    )
    if not same.exists():
        record(chosen, person=person, file_format=file_format, fields=fields, asked=asked)


def _list_shown(
    chosen: Iterable[ChosenProblem], fields: Iterable[str]
) -> Iterator[tuple[int, ledger.Part]]:
    """List which parts of which submitted texts are taken out."""
    parts = {PART_OF[name] for name in fields if name in PART_OF}
    for one in chosen:
        if one.is_submitted:
            for part in parts:
                if one.has_key or part not in ledger.KEY:
                    yield one.revision_id, part


def sort_fields(fields: Iterable[str]) -> list[str]:
    """Put fields in the order of a file; the id is always there."""
    wanted = {*fields, "id"}
    return [name for name in EXPORTED if name in wanted]


def describe(chosen: Iterable[ChosenProblem], fields: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield what the file says of each; the key only of those that may have it."""
    fields = list(fields)
    chosen = list(chosen)
    for first in range(0, len(chosen), AT_ONCE):
        some = chosen[first : first + AT_ONCE]
        texts = Revision.objects.in_bulk([one.revision_id for one in some])
        errata = list_errata(some) if "errata" in fields else {}
        for one in some:
            # A draft may have been deleted since.
            if (revision := texts.get(one.revision_id)) is not None:
                yield {
                    name: errata.get(one.problem.pk, [])
                    if name == "errata"
                    else _get_value(name, one, revision)
                    for name in fields
                    if one.has_key or name not in KEY_FIELDS
                }


def list_errata(chosen: Iterable[ChosenProblem]) -> dict[int, list[dict[str, Any]]]:
    """Return what was wrong with accepted revisions, by problem; one query."""
    found = Revision.objects.filter(
        problem__in=[one.problem for one in chosen], errata__isnull=False
    ).order_by("errata__at", "errata__pk")
    rows = found.values(
        "problem",
        revision=F("number"),
        corrected_by=F("errata__corrected_by__number"),
        of_key=F("errata__is_of_key"),
        report=F("errata__report"),
        at=F("errata__at"),
        text=F("errata__text"),
    )
    errata: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for one in rows:
        said = {name: value for name, value in one.items() if name != "problem"}
        errata[one["problem"]].append(said | {"at": one["at"].isoformat(timespec="seconds")})
    return errata


def _get_value(name: str, one: ChosenProblem, revision: Revision) -> Any:
    problem = one.problem
    match name:
        case "id":
            return problem.identifier
        case "benchmark":
            return problem.benchmark.name
        case "author":
            return str(problem.author) if problem.author else ""
        case "revision":
            return revision.number
        case "symbols":
            rows = [SymbolRow.read(stored) for stored in revision.symbols]
            # The others tell which symbols the answer has.
            return [asdict(row) for row in rows if one.has_key or not row.says_nothing]
        case _:
            return getattr(problem if BY_NAME[name].of_problem else revision, name)


def write(file_format: str, fields: Sequence[str], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Write rows piece by piece, as `reading.read` reads them again."""
    if file_format == Download.Format.CSV:
        yield from _write_table(fields, rows)
    elif file_format == Download.Format.JSONL:
        for row in rows:
            yield json.dumps(row, ensure_ascii=False) + "\n"
    else:
        before = "[\n"
        for row in rows:
            yield before + json.dumps(row, ensure_ascii=False, indent=1)
            before = ",\n"
        yield "\n]\n" if before == ",\n" else "[]\n"


def _write_table(fields: Sequence[str], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    # By this mark spreadsheets know UTF-8.
    yield "\ufeff" + _write_line(fields)
    for row in rows:
        yield _write_line([_write_cell(row.get(name)) for name in fields])


def _write_cell(value: Any) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else defuse(value)


def _write_line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()
