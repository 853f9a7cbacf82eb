"""
Decide what is to come of each row of a file, and write nothing.

The rules are those of the form (`ProblemForm`) and those for references (`checking.check`): one
list for whoever writes a problem, here or in a file. Published problems may break the latter.
"""

import logging
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from django.utils.translation import gettext as _

from curation.authoring.drafts.forms import ProblemForm
from curation.authoring.drafts.missing import list_missing
from curation.exchange.models import Import, ImportRow
from curation.exchange.present import Bank, Present
from curation.exchange.rows import Fault, Row
from curation.exchange.terms import ImportTerms
from curation.problems.checks import check
from curation.problems.fields import find_column, list_choices
from curation.problems.models import OUR_OWN_ID, Problem, Revision
from curation.problems.permissions import can_edit, is_in_charge, is_writer
from curation.texts.references.reference import SymbolRow, Wanted
from curation.texts.schema import BY_NAME, FIELDS, KEY_FIELDS, LISTS, OF_PROBLEM, Kind
from curation.texts.schema import TEXTS as OF_REVISION
from curation.texts.sentences import translate
from curation.texts.titles import make_title
from curation.texts.workflow import Status
from phybench.people.models import User

logger = logging.getLogger(__name__)

Action = ImportRow.Action
TEXTS = sorted(OF_REVISION & {*FIELDS})
CHOSEN_FROM = {
    name: [value for value, _label in list_choices(BY_NAME[name])]
    for name in FIELDS
    if BY_NAME[name].kind is Kind.CHOICE
}
_EMPTY: dict[str, Any] = {name: [] if BY_NAME[name].kind in LISTS else "" for name in TEXTS}


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """What is to come of a row, and why."""

    action: ImportRow.Action
    faults: tuple[Fault, ...] = ()
    """Why it is refused; of what is taken, the rules that it breaks."""
    values: dict[str, Any] = field(default_factory=dict)
    """What is to be written: everything of a new problem, what changes of one that is here."""
    changes: tuple[str, ...] = ()
    problem_id: int | None = None
    state: str = ""
    note: str = ""

    @property
    def broken(self) -> list[str]:
        return list(dict.fromkeys(fault.code for fault in self.faults if fault.code))


class _NotTaken(Exception):
    """A row that is refused."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.faults = (Fault(field, message),)


def plan(rows: Iterable[Row], terms: ImportTerms) -> Iterator[PlannedRow]:
    """Plan each row in turn; what the bank holds is asked once, before the first."""
    rows = list(rows)
    bank = Bank(rows, terms)
    for row in rows:
        yield plan_row(row, bank.find(row) if not row.faults else None, terms)


def plan_row(row: Row, present: Present | None, terms: ImportTerms) -> PlannedRow:
    """Plan a row that is about `present`, or about a problem that is new."""
    if row.faults:
        return PlannedRow(Action.REFUSE, row.faults)
    try:
        if terms.purpose == Import.Purpose.PUBLISHED:
            return _plan_published(row, present, terms)
        assert terms.person is not None
        return _plan_draft(row, present, terms, terms.person)
    except _NotTaken as refusal:
        problem_id = present.problem.pk if present and present.is_readable else None
        return PlannedRow(Action.REFUSE, refusal.faults, problem_id=problem_id)
    except CancelledError:
        raise
    except Exception:
        logger.exception("planning row %d", row.number)
        return PlannedRow(Action.REFUSE, (Fault("", say_our_error()),))


def _leave(present: Present) -> PlannedRow:
    note = _("already here, the same as in the file")
    return PlannedRow(Action.NOTHING, problem_id=present.problem.pk, state=present.state, note=note)


def say_our_error() -> str:
    return _("an error on our side stopped this row; it is in the log, and nothing was written")


# --- Published problems ---------------------------------------------------------------------


def _plan_published(row: Row, present: Present | None, terms: ImportTerms) -> PlannedRow:
    if present is not None:
        return _compare_published(row, present, terms)
    if not row.id:
        raise _NotTaken(_("a published problem needs its id (a number or a text)"), "id")
    if OUR_OWN_ID.fullmatch(row.id):
        message = _("an id like %(id)s names a problem written here")
        raise _NotTaken(message % {"id": row.id}, "id")
    given, note = _fill_in(row.values, terms)
    faults = []
    if not given.get("statement"):
        faults.append(Fault("statement", _("it is empty: a problem needs its statement")))
    if not given.get("answer"):
        faults.append(Fault("answer", _("it has no answer")))
    faults += [
        Fault(name, _say_choices(given[name], choices))
        for name, choices in CHOSEN_FROM.items()
        if given.get(name, "") not in {"", *choices}
    ]
    if faults:
        return PlannedRow(Action.REFUSE, tuple(faults))
    title = given.get("title") or make_title(given["statement"])
    values = {
        **_EMPTY,
        **given,
        "title": title or _("Problem %(id)s") % {"id": row.id},
        "published_id": row.id,
    }
    return PlannedRow(Action.CREATE, tuple(_list_broken(values)), values, note=note)


def _compare_published(row: Row, present: Present, terms: ImportTerms) -> PlannedRow:
    problem = present.problem
    if problem.benchmark_id != terms.benchmark.pk:
        message = _("already here in the benchmark “%(name)s”")
        raise _NotTaken(message % {"name": problem.benchmark}, "id")
    # As it was published, or as somebody has revised it since.
    differing = [_list_changes(row, one) for one in (present.revisions[0], present.newest)]
    if all(differing):
        if problem.published_id is None:
            message = _("an id like %(id)s names a problem written here, which differs")
            raise _NotTaken(message % {"id": row.id}, "id")
        message = _("already here with a different text (%(fields)s)")
        raise _NotTaken(message % {"fields": ", ".join(differing[0])})
    return _leave(present)


# --- Drafts ---------------------------------------------------------------------------------


def _plan_draft(row: Row, present: Present | None, terms: ImportTerms, person: User) -> PlannedRow:
    if present is not None and not present.is_readable:
        # Not a word of what others have not shown yet.
        present = None
    if present is None:
        if OUR_OWN_ID.fullmatch(row.id):
            message = _("you have no problem %(id)s: leave the id out to create a new one")
            raise _NotTaken(message % {"id": row.id}, "id")
        return _plan_new_draft(row, terms)
    problem = present.problem
    if not is_writer(person, problem):
        return _compare_with_others(row, present, person)
    changes = _list_changes(row, present.newest)
    changes += [
        name
        for name in OF_PROBLEM
        if name in row.values and row.values[name] != getattr(problem, name)
    ]
    if not changes:
        return _leave(present)
    if not can_edit(person, problem):
        raise _NotTaken(_say_why_frozen(present))
    stored = ProblemForm.describe(problem, present.newest)
    if "language" not in changes:
        # Whether it is translated into its language then need not be asked.
        stored["problem"] = ""
    values, faults = _validate({**stored, **row.values})
    faults += _check(values or {**stored, **row.values}, faults, exact=stored["exact"])
    changed = {name: values[name] for name in changes if name in values}
    return _settle(
        PlannedRow(Action.UPDATE, tuple(faults), changed, tuple(changes), problem.pk, present.state)
    )


def _plan_new_draft(row: Row, terms: ImportTerms) -> PlannedRow:
    given, note = _fill_in(row.values, terms)
    title = given.get("title") or make_title(given.get("statement", ""))
    given["title"] = title or _("Problem %(id)s") % {"id": row.id or row.number}
    values, faults = _validate({**_EMPTY, **given})
    faults += _check(values or {**_EMPTY, **given}, faults)
    return _settle(PlannedRow(Action.CREATE, tuple(faults), values, note=note))


def _fill_in(values: dict[str, Any], terms: ImportTerms) -> tuple[dict[str, Any], str]:
    """Give what is new the terms' defaults where its row says none, or none of ours; say so."""
    unknown = {
        name: values[name]
        for name in terms.defaults
        if values.get(name) and values[name] not in CHOSEN_FROM[name]
    }
    filled = {
        name: default
        for name, default in terms.defaults.items()
        if default and (not values.get(name) or name in unknown)
    }
    notes = [
        _("“%(given)s” is not among the values of “%(field)s”, so it is “%(filled)s”")
        % {"given": unknown[name][:40], "field": name, "filled": _name(name, one)}
        for name, one in filled.items()
        if name in unknown
    ]
    told = [
        f"{find_column(BY_NAME[name]).verbose_name} “{_name(name, one)}”"
        for name, one in filled.items()
        # What each row of most files leaves out is no news.
        if name not in unknown and name != "language"
    ]
    if told:
        notes.append(
            _("not in the file, so filled in: %(values)s") % {"values": _(", ").join(told)}
        )
    return {**values, **filled}, "; ".join(notes)


def _name(name: str, value: str) -> str:
    return str(dict(list_choices(BY_NAME[name]))[value])


def _settle(planned: PlannedRow) -> PlannedRow:
    """Refuse what can't be kept; what breaks a rule is kept as a draft, with what to fix."""
    if all(fault.code for fault in planned.faults):
        return planned
    return PlannedRow(
        Action.REFUSE, planned.faults, changes=planned.changes, problem_id=planned.problem_id
    )


def _compare_with_others(row: Row, present: Present, person: User) -> PlannedRow:
    """Say that there is nothing to do, or nothing to be done, about somebody else's problem."""
    problem, shown = present.problem, present.submitted
    has_key = is_in_charge(person, problem)
    if has_key:
        shown = present.newest
    elif any(row.values.get(name) for name in KEY_FIELDS):
        # Whether it is right must not be found out by importing guesses.
        message = _("this problem is not yours: its answer can't be compared. Leave these out")
        raise _NotTaken(message, "answer")
    given = {name: value for name, value in row.values.items() if name not in KEY_FIELDS or has_key}
    same = shown is not None and not _list_changes(Row(0, 0, row.id, given), shown)
    if not same:
        raise _NotTaken(
            _(
                "this problem is not yours, and the file’s text differs: only its authors can "
                "change it"
            )
        )
    return _leave(present)


def _say_why_frozen(present: Present) -> str:
    if present.problem.status == Status.IN_REVIEW:
        return _("it is in review: withdraw it to change it")
    return _("it is %(status)s, so it can't be changed now") % {
        "status": present.problem.get_status_display()
    }


def _validate(values: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """Clean the values as the form does, and list what it says is wrong."""
    form = ProblemForm(values)
    # Which benchmark is the same for all rows, and it would be asked for each.
    del form.fields["benchmark"]
    for name in OF_PROBLEM:
        form.fields[name].required = BY_NAME[name].is_required
    faults = []
    for name, messages in form.errors.items():
        if name in CHOSEN_FROM:
            faults.append(Fault(name, _say_choices(values.get(name, ""), CHOSEN_FROM[name])))
        else:
            faults += [Fault(name, str(message)) for message in messages]
    if faults:
        return {}, faults
    cleaned = form.fields_to_save()
    return {name: cleaned[name] for name in (*OF_PROBLEM, *TEXTS) if name in cleaned}, []


def _say_choices(given: str, choices: Iterable[str]) -> str:
    names = ", ".join(choices)
    if not given:
        return _("it is not given; it can be %(choices)s") % {"choices": names}
    return _("“%(given)s” is not allowed; it can be %(choices)s") % {
        "given": given[:40],
        "choices": names,
    }


def _check(
    values: dict[str, Any], faults: Iterable[Fault], *, exact: Collection[str] = ()
) -> list[Fault]:
    """
    List the rules for references that a draft breaks, each at its field.

    Args:
        faults: what the form says already; a text that is no text for it is not read.
        exact: fractions that the draft's author has confirmed.
    """
    if any(fault.field in OF_REVISION for fault in faults):
        return []
    texts = {name: values[name] for name in TEXTS}
    # Whether domain and difficulty are missing is the form's to say.
    draft, problem = Revision(number=1, **texts), Problem(domain="-", difficulty="-")
    missing = [Fault(name, why, "incomplete") for name, why in list_missing(draft, problem)]
    return [*missing, *_list_broken(values, exact=exact)]


def _list_broken(values: dict[str, Any], *, exact: Collection[str] = ()) -> list[Fault]:
    checked = check(
        values["answer"],
        values["statement"],
        solution=values["solution"],
        rows=[SymbolRow.read(one) for one in values["symbols"]],
        wanted=Wanted.read(values),
        exact=exact,
    )
    faults = (Fault(at, translate(rule.message), rule.code) for at, rule in checked.list_broken())
    return list(dict.fromkeys(faults))


# --- Comparing ------------------------------------------------------------------------------


def _list_changes(row: Row, revision: Revision) -> list[str]:
    """List the texts that the row gives and that differ from a revision's."""
    return [
        name
        for name in TEXTS
        if name in row.values
        and _normal(name, row.values[name]) != _normal(name, getattr(revision, name))
    ]


def _normal(name: str, value: Any) -> Any:
    if name == "symbols":
        # A row that says nothing comes and goes with its symbol.
        described = (SymbolRow.read(one) for one in value)
        return [asdict(one) for one in described if not one.says_nothing]
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    return list(value)


def store(planned: PlannedRow) -> dict[str, Any]:
    """Return what a row of the database keeps of a plan."""
    kept = {one.name: getattr(planned, one.name) for one in fields(planned)}
    kept["faults"] = [asdict(fault) for fault in planned.faults]
    kept["changes"] = list(planned.changes)
    return kept
