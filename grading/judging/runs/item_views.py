"""The items of a run of judges: which are shown, in which order, and as a file."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grading import permissions
from grading.judging.judgements.models import Judgement
from grading.judging.pairs.views import SIDES, pairs_csv
from grading.judging.runs.models import JudgeItem, JudgeRun
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role
from phybench.sorting import read_sorting

DOUBTFUL = "DOUBTFUL"


class ItemListing:
    """What was asked for in the address: items in which state, why, in what doubt."""

    def __init__(self, request: MemberRequest, run: JudgeRun) -> None:
        # Pairs go to no person's queue.
        doubtful = _("with a doubt") if run.other else _("for a person")
        self.filters = [*JudgeItem.State.choices, (DOUBTFUL, doubtful)]
        self.show = request.GET.get("show", "")
        self.reason = request.GET.get("reason", "")
        self.doubt = request.GET.get("doubt", "")
        columns = {
            "problem": (_("Answer to"), "attempt__revision__problem_id"),
            "judge": (_("The judge"), "value"),
            "grader": (_("The grader"), "symbolic_verdict"),
        }
        if run.other is not None:
            of_first, of_second = (_("The grader on %(name)s") % {"name": one} for one in SIDES)
            columns |= {
                "problem": (_("Answers to"), "attempt__revision__problem_id"),
                "grader": (of_first, "symbolic_verdict"),
                "other": (of_second, "other_symbolic_verdict"),
            }
        sorting = read_sorting(request, columns, "problem")
        self.columns = sorting.columns
        self.items = self._narrow(_with_judgements(run)).order_by(*sorting.order)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.show or self.reason or self.doubt)

    def _narrow(self, items: QuerySet[JudgeItem]) -> QuerySet[JudgeItem]:
        doubted = Judgement.objects.filter(item=OuterRef("pk"), round=OuterRef("round"))
        if self.show in JudgeItem.State.values:
            items = items.filter(state=self.show)
        elif self.show == DOUBTFUL:
            items = items.filter(Exists(doubted.exclude(doubts=[])))
        if self.reason:
            items = items.filter(reason=self.reason)
        if self.doubt:
            items = items.filter(Exists(doubted.filter(doubts__contains=[self.doubt])))
        return items


def _with_judgements(run: JudgeRun) -> QuerySet[JudgeItem]:
    """Return a run's items with what was said last of each, in one query."""
    last = Judgement.objects.filter(item=OuterRef("pk")).order_by("-round")
    names = (
        "is_right", "value", "stage", "doubts", "flags", "symbolic_verdict",
        "other_symbolic_verdict", "has_passed",
    )  # fmt: skip
    said = {name: Subquery(last.values(name)[:1]) for name in names}
    found = run.items.select_related("attempt__revision__problem")
    return found.annotate(**said, reused=Subquery(last.values("reused")[:1]))


@role_required(Role.EVALUATOR)
@require_GET
def judge_run_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write the items as they are filtered and sorted; codes stay codes."""
    run = get_object_or_404(permissions.list_runs(request.user), pk=pk)
    if run.other is not None:
        listing = ItemListing(request, run)
        return pairs_csv(run, listing.items, is_whole=not listing.is_narrowed)
    header = [
        "id", "sample", "canary", "state", "reason", "is_right", "value", "stage", "flags",
        "for_a_person", "symbolic_verdict", "reused", "configuration_sha256", "attempt",
    ]  # fmt: skip
    rows = _csv_rows(ItemListing(request, run).items, run)
    return csv_response(f"judge-run-{run.pk}", header, rows)


def _csv_rows(items: QuerySet[JudgeItem], run: JudgeRun) -> Iterable[list[object]]:
    for item in items:
        said: Any = item
        is_ended = not item.is_waiting
        yield [
            item.attempt.revision.problem.identifier if item.attempt else "",
            item.attempt.sample if item.attempt else "",
            item.canary,
            item.state,
            item.reason,
            said.is_right if is_ended else "",
            said.value if is_ended else "",
            said.stage if is_ended else "",
            " ".join(said.flags or []),
            " ".join(said.doubts or []),
            said.symbolic_verdict or "",
            said.reused is not None,
            run.configuration.sha256,
            item.attempt_id,
        ]
