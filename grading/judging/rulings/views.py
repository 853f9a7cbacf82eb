"""Rule on answers that judges left in doubt, one after the other, and see what was ruled."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from curation.exposures import ledger
from curation.exposures.ledger import Reason
from grading import permissions
from grading.answers.models import Attempt, with_grade
from grading.judging.judgements.models import Judgement
from grading.judging.lists import GivenFilter, WaitingFilter
from grading.judging.rulings.actions import CannotRule, list_waiting
from grading.judging.rulings.actions import rule as rule_on
from grading.judging.rulings.models import Ruling
from phybench.csv import csv_response
from phybench.forms import UncutField
from phybench.http import MemberRequest, role_required
from phybench.models import Role, User
from phybench.sorting import Sorting, read_sorting

A_PAGE = 50


class RulingForm(forms.Form):
    choice = forms.ChoiceField(
        label=gettext_lazy("This answer is"),
        choices=Ruling.Choice.choices,
        widget=forms.RadioSelect,
    )
    reason = UncutField(
        label=gettext_lazy("Why"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4, "data-key": "w"}),
        help_text=gettext_lazy("A sentence or two. It stands beside the judges’ words for good."),
    )

    def list_choices(self) -> list[tuple[forms.boundfield.BoundWidget, str]]:
        """Return the choices, each with the key that picks it."""
        return [(choice, str(key)) for key, choice in enumerate(self["choice"], start=1)]


# --- Those that wait ------------------------------------------------------------------------


def _sort_waiting(request: MemberRequest) -> Sorting:
    columns = {
        "problem": (_("Answer to"), "revision__problem_id"),
        "domain": (_("Domain"), "revision__problem__domain"),
        "since": (_("Waits since"), "waits_since"),
    }
    return read_sorting(request, columns, "since")


@role_required(Role.EVALUATOR)
@require_GET
def rulings(request: MemberRequest) -> HttpResponse:
    form, sorting = WaitingFilter(request.GET), _sort_waiting(request)
    found = form.narrow(list_waiting(request.user)).order_by(*sorting.order)
    context = {
        "form": form,
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "columns": sorting.columns,
        "given": request.user.rulings.filter(label_file=None).count(),
    }
    return render(request, "grading/rulings.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def rulings_csv(request: MemberRequest) -> HttpResponse:
    """Write what waits. With `label` and `labeller` filled in it can be brought back as a file."""
    header = ["attempt", "id", "repeat_index", "domain", "waits_since", "label", "labeller"]
    found = WaitingFilter(request.GET).narrow(list_waiting(request.user))
    rows = _write_waiting(found.order_by(*_sort_waiting(request).order))
    return csv_response("to-be-ruled-on", header, rows)


def _write_waiting(found: Iterable[Any]) -> Iterator[list[object]]:
    for attempt in found:
        yield [
            attempt.pk,
            attempt.revision.problem.identifier,
            attempt.sample - 1,
            attempt.revision.problem.domain,
            attempt.waits_since.isoformat(),
            "",
            "",
        ]


# --- Those that were given ------------------------------------------------------------------


def _sort_given(request: MemberRequest) -> Sorting:
    columns = {
        "problem": (_("Answer to"), "attempt__revision__problem_id"),
        "ruling": (_("Ruling"), "choice"),
        "by": (_("By"), "ruled_by__display_name"),
        "when": (_("Given"), "created_at"),
    }
    return read_sorting(request, columns, "-when")


@role_required(Role.EVALUATOR)
@require_GET
def rulings_given(request: MemberRequest) -> HttpResponse:
    form, sorting = GivenFilter(request.GET), _sort_given(request)
    found = form.narrow(permissions.list_rulings(request.user)).order_by(*sorting.order)
    context = {
        "form": form,
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "columns": sorting.columns,
    }
    return render(request, "grading/rulings_given.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def rulings_given_csv(request: MemberRequest) -> HttpResponse:
    header = [
        "attempt", "id", "repeat_index", "label", "reason", "labeller", "file", "file_sha256",
        "ruled_by", "given_at",
    ]  # fmt: skip
    found = GivenFilter(request.GET).narrow(permissions.list_rulings(request.user))
    rows = found.order_by(*_sort_given(request).order)
    return csv_response("rulings", header, _write_given(rows))


def _write_given(found: QuerySet[Ruling]) -> Iterator[list[object]]:
    for ruling in found:
        file = ruling.label_file
        yield [
            ruling.attempt_id,
            ruling.attempt.revision.problem.identifier,
            ruling.attempt.sample - 1,
            ruling.choice,
            ruling.reason,
            ruling.labeller,
            file.file_name if file else "",
            file.sha256 if file else "",
            str(ruling.ruled_by),
            ruling.created_at.isoformat(),
        ]


# --- One ------------------------------------------------------------------------------------


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def rule(request: MemberRequest, pk: int) -> HttpResponse:
    attempts = permissions.list_rulable(request.user).select_related("revision__problem")
    attempt = get_object_or_404(attempts, pk=pk)
    own = attempt.rulings.filter(ruled_by=request.user, label_file=None).first()
    form = RulingForm(request.POST) if request.method == "POST" else RulingForm()
    if request.method == "POST" and form.is_valid():
        try:
            rule_on(attempt=attempt, by=request.user, **form.cleaned_data)
        except CannotRule as cannot:
            # Sent twice, as by a second press of the same keys, it is the ruling that was given.
            if not attempt.rulings.filter(
                ruled_by=request.user, label_file=None, **form.cleaned_data
            ).exists():
                messages.warning(request, str(cannot))
                return redirect("grading:rule", pk)
        following = _find_next(request.user, attempt)
        address = reverse("grading:rule", args=[(following or attempt).pk])
        return redirect(f"{address}?after={pk}" if following else address)
    if own is None and not Judgement.objects.filter(attempt=attempt).exists():
        raise Http404
    ledger.record(request.user, Reason.RULE, attempt.revision, parts=ledger.ALL)
    context: dict[str, Any] = {
        "attempt": attempt,
        "problem": attempt.revision.problem,
        "form": form,
        "own": own,
        "following": _find_next(request.user, attempt),
    }
    if own is None:
        context["before"] = _find_before(request)
        number = _count_today(request.user) + 1
        context["number"] = number
        context["total"] = number + _others_waiting(request.user, attempt).count()
    else:
        # Only now: whoever rules is not to be led.
        context["judgements"] = attempt.judgements.select_related("configuration", "item__run")
        context["rulings"] = attempt.rulings.select_related("ruled_by", "label_file")
        context["graded"] = with_grade(permissions.list_rulable(request.user)).get(pk=pk)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/rule.html", context, status=status)


def _others_waiting(user: User, attempt: Attempt) -> QuerySet[Attempt]:
    return list_waiting(user).exclude(pk=attempt.pk)


def _find_next(user: User, attempt: Attempt) -> Attempt | None:
    """Return what waits after this one, or before it once the end is reached."""
    others = _others_waiting(user, attempt)
    return others.filter(pk__gt=attempt.pk).first() or others.first()


def _count_today(user: User) -> int:
    return user.rulings.filter(label_file=None, created_at__date=timezone.now().date()).count()


def _find_before(request: MemberRequest) -> Ruling | None:
    """Return the ruling that was given just before this page."""
    asked = request.GET.get("after", "")
    if not asked.isdecimal():
        return None
    own = request.user.rulings.filter(label_file=None, attempt=int(asked[:15]))
    return own.select_related("attempt__revision__problem").first()
