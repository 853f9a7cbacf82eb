"""A problem beside something: an earlier revision, the problems most like it."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from curation.problems.benchmarks.places import get_placed
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.fields import list_choices
from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_compare_answers, list_readable_revisions, list_visible
from curation.problems.similarity import are_equal, count_similar, list_similar
from curation.texts.comparison import Piece, compare_words
from curation.texts.references.reference import Reference, SymbolRow, Wanted
from curation.texts.schema import LISTS, TEXTS, WRITTEN, Field, Kind
from phybench.people.http import MemberRequest, few_at_once
from phybench.people.models import User

APART = frozenset(
    {*("answer", "symbols", "left_out", "reason"), *(one.name for one in fields(Wanted))}
)
"""Fields whose changes `_changes.html` shows in their own way."""


@require_GET
def compare(request: MemberRequest, pk: int) -> HttpResponse:
    problem = get_placed(request, list_visible(request.user).with_people(), pk)
    revisions = {revision.number: revision for revision in list_revisions(request.user, problem)}
    if len(revisions) < 2:
        raise Http404
    newest = sorted(revisions)
    before = _choose(request.GET.get("from"), revisions, default=newest[-2])
    after = _choose(request.GET.get("to"), revisions, default=newest[-1])
    ledger.record(request.user, Reason.COMPARE, before, after, parts=ledger.ALL)
    context = {
        "problem": problem,
        "revisions": list(revisions.values()),
        **describe_changes(before, after),
    }
    return render(request, "curation/compare.html", context)


def describe_changes(before: Revision, after: Revision) -> dict[str, Any]:
    """Return what `_changes.html` shows, for somebody who may see both keys."""
    return {
        "before": before,
        "after": after,
        "parts": list(_compare_fields(before, after)),
        "answers": say_whether_equal(before.reference, after.reference),
        "wanted": () if before.wanted == after.wanted else (before.wanted, after.wanted),
        "symbols": compare_rows(before.symbol_rows, after.symbol_rows),
    }


def _compare_fields(before: Revision, after: Revision) -> Iterator[tuple[Any, list[Piece]]]:
    """Yield what changed in each field, the texts of a reader also where nothing did."""
    for field in WRITTEN:
        if field.name in TEXTS - APART:
            was, now = (_write(field, revision) for revision in (before, after))
            if was != now or field.is_translated:
                yield field.label, compare_words(was, now)


def _write(field: Field, revision: Revision) -> str:
    value = getattr(revision, field.name)
    if field.kind is Kind.CHOICE:
        return str(dict(list_choices(field)).get(value, ""))
    return "\n".join(value) if field.kind in LISTS else value


@require_GET
def similar(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a problem beside the ones most like it."""
    problem = get_placed(request, list_visible(request.user).with_people(), pk)
    revisions = list_revisions(request.user, problem)
    if not revisions:
        raise Http404
    similar = list_similar(problem, revisions[-1].statement, seen_by=request.user)
    # Where there is nothing beside it, it isn't shown either.
    compared = [revisions[-1], *similar] if similar else []
    ledger.record(request.user, Reason.COMPARE, *compared)
    context = {"problem": problem, "revision": revisions[-1], "similar": similar}
    return render(request, "curation/similar.html", context)


@never_cache
@require_GET
@few_at_once
def similar_count(request: MemberRequest, pk: int) -> HttpResponse:
    """Say how many problems are like this one, and how many of them have an equal answer."""
    problem = get_placed(request, list_visible(request.user).with_people(), pk)
    revisions = list_revisions(request.user, problem)
    if not revisions or not can_compare_answers(request.user, problem):
        raise Http404
    revision = revisions[-1]
    revision.problem = problem
    similar = count_similar(revision, seen_by=request.user)
    # An equal answer tells the other problem's; of another, that it is not this.
    told = {ledger.Part.ANSWER: similar.equal, ledger.Part.VERDICT: similar.different}
    ledger.write(
        request.user,
        Reason.COMPARE,
        [(one.pk, part) for part, those in told.items() for one in those if one.submitted_at],
    )
    context = {"problem": problem, "similar": similar}
    return render(request, "curation/_similar_count.html", context)


def _choose(asked: str | None, revisions: dict[int, Revision], *, default: int) -> Revision:
    number = int(asked) if asked and asked.isdecimal() and len(asked) < 9 else default
    if number not in revisions:
        raise Http404
    return revisions[number]


def compare_rows(before: list[SymbolRow], after: list[SymbolRow]) -> list[tuple[str, SymbolRow]]:
    """List the rows of the symbol table that went and came, those of one symbol together."""
    gone = [("removed", row) for row in before if row not in after]
    new = [("added", row) for row in after if row not in before]
    return sorted([*gone, *new], key=lambda change: change[1].name)


def say_whether_equal(before: Reference, after: Reference) -> str:
    """Say whether two reference answers are one expression, as the grader would see it."""
    is_same = before.answer.strip() == after.answer.strip()
    if is_same and replace(before, statement="") == replace(after, statement=""):
        return _("The reference answer is the same.")
    is_equal = are_equal(before, after)
    if is_equal is None:
        return _("It is undecided whether both are the same expression.")
    if is_equal:
        return _("Written differently, but the same expression: grades don’t change.")
    return _("A different expression: answers that were right are now wrong.")


def list_revisions(user: User, problem: Problem) -> list[Revision]:
    """Return the texts of a problem that `user` may read, oldest first."""
    readable = list_readable_revisions(user)
    return list(readable.filter(problem=problem).order_by("number"))
