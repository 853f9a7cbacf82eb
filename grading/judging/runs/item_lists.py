"""The items of a run of judges: which are shown, in which order, and as a file."""

from typing import TYPE_CHECKING, Any

from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.pairs.lists import list_heads_of_pairs, list_left_out, list_said_of_pairs
from grading.judging.permissions import list_runs
from grading.judging.runs.filters import DOUBTFUL, KNOWN, OWN, ItemFilter
from grading.runs import sentences
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

A_PAGE = 20


def list_shows(run: JudgeRun) -> "list[tuple[str, _StrOrPromise]]":
    """List what the tabs above the items choose from."""
    # Pairs go to no person's queue.
    doubtful = _("doubtful") if run.other else _("needs a person")
    own = _("items of the file") if run.file_id else _("pairs") if run.other else _("answers")
    sorts = [(OWN, own), (KNOWN, _("test items"))]
    return [*sorts, *JudgeItem.State.choices, (DOUBTFUL, doubtful)]


def list_items(request: MemberRequest, run: JudgeRun) -> Listing[Any]:
    filters = ItemFilter(request.GET, _with_judgements(run))
    filters.offer("show", list_shows(run))
    columns = _list_columns(run)
    return Listing(request, filters.qs, columns, default="problem", filters=filters, a_page=A_PAGE)


def _with_judgements(run: JudgeRun) -> QuerySet[JudgeItem]:
    """Return a run's items with what was said last of each, in one query."""
    last = Judgement.objects.filter(item=OuterRef("pk")).order_by("-round")
    names = (
        "is_right", "value", "stage", "doubts", "flags", "symbolic_verdict",
        "other_symbolic_verdict", "has_passed",
    )  # fmt: skip
    said = {name: Subquery(last.values(name)[:1]) for name in names}
    found = run.items.select_related("attempt__revision__problem")
    return found.annotate(
        **said,
        reused=Subquery(last.values("reused")[:1]),
        is_known=Case(When(canary="", then=False), default=True),
    )


def _list_columns(run: JudgeRun) -> list[Column[Any]]:
    """List what the page and the file have; codes stay codes in the file."""
    return [
        *(list_heads_of_pairs() if run.other else _list_heads(run)),
        Column("known", _("Remarks")),
        Column("id", value=_identify),
        Column("sample", value=lambda one: one.attempt and one.attempt.sample),
        Column("canary", value=lambda one: one.canary),
        Column("state", value=lambda one: one.state),
        Column("reason", value=lambda one: one.reason),
        *(list_said_of_pairs(run) if run.other else _list_said()),
        Column("reused", value=lambda one: one.reused is not None),
        Column("configuration_sha256", value=lambda one: run.configuration.sha256),
        *([] if run.other else [Column("attempt", value=lambda one: one.attempt_id)]),
    ]


def _identify(item: JudgeItem) -> object:
    """Give the id of the problem or, as it is there, of the item of a file."""
    if item.given is not None:
        return item.given["id"]
    return item.attempt and item.attempt.revision.problem.identifier


def _list_heads(run: JudgeRun) -> list[Column[Any]]:
    if run.file_id:
        # The grader grades no items of files.
        return [
            # What is tried comes after what the file is about.
            Column("problem", _("Item"), by("is_known")),
            Column("judge", _("The judge"), by("value")),
            Column("message", value=lambda one: sentences.translate(one.refusal)),
        ]
    return [
        Column("problem", _("Answer to"), by("attempt__revision__problem_id")),
        Column("judge", _("The judge"), by("value")),
        Column("grader", _("The grader"), by("symbolic_verdict")),
    ]


def _list_said() -> list[Column[Any]]:
    return [
        *(_said(name) for name in ("is_right", "value", "stage")),
        Column("flags", value=lambda one: " ".join(one.flags or [])),
        Column("for_a_person", value=lambda one: " ".join(one.doubts or [])),
        Column("symbolic_verdict", value=lambda one: one.symbolic_verdict),
    ]


def _said(name: str) -> Column[Any]:
    """Write what was said, once nothing more will be."""
    return Column(name, value=lambda one: None if one.is_waiting else getattr(one, name))


def record_verdicts(person: User, run: JudgeRun) -> None:
    """Write down that somebody is told what a judge, and the grader, made of answers."""
    told = run.items.filter(attempt__isnull=False).exclude(state__in=JudgeItem.WAITING)
    ledger.write_verdicts(person, Reason.RULE, told.values_list("attempt__revision", flat=True))


@role_required(Role.EVALUATOR)
@require_GET
def judge_run_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write the items as they are narrowed and sorted; after all pairs, what has none."""
    run = get_object_or_404(list_runs(request.user), pk=pk)
    listing = list_items(request, run)
    assert listing.filters is not None
    is_whole = run.other is not None and not listing.filters.is_active()
    file = listing.write(f"judge-run-{run.pk}", more=list_left_out(run) if is_whole else ())
    record_verdicts(request.user, run)
    return file
