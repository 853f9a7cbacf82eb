"""Rule on answers that judges left in doubt, and see how far judges agree with people."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from curation import exposures
from curation.exposures import Reason
from grading.calibration import collect
from grading.metrics import Mean
from grading.models import Judgement, Ruling, with_grade
from grading.ruling import CannotRule, list_rulable, list_waiting
from grading.ruling import rule as rule_on
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role

A_PAGE = 50


class RulingForm(forms.Form):
    choice = forms.ChoiceField(
        label=gettext_lazy("This answer is"),
        choices=Ruling.Choice.choices,
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("A sentence or two. It stands beside the judges’ words for good."),
    )


@role_required(Role.EVALUATOR)
@require_GET
def rulings(request: MemberRequest) -> HttpResponse:
    page = Paginator(list_waiting(request.user), A_PAGE).get_page(request.GET.get("page"))
    given = request.user.rulings.count()
    return render(request, "grading/rulings.html", {"page": page, "given": given})


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def rule(request: MemberRequest, pk: int) -> HttpResponse:
    attempts = list_rulable(request.user).select_related("revision__problem")
    attempt = get_object_or_404(attempts, pk=pk)
    own = attempt.rulings.filter(ruled_by=request.user).first()
    form = RulingForm(request.POST) if request.method == "POST" else RulingForm()
    if request.method == "POST" and form.is_valid():
        try:
            rule_on(attempt=attempt, by=request.user, **form.cleaned_data)
        except CannotRule as cannot:
            messages.warning(request, str(cannot))
        else:
            messages.success(request, _("Kept. Below is what judges and the grader said of it."))
        return redirect("grading:rule", pk)
    if own is None and not Judgement.objects.filter(attempt=attempt).exists():
        raise Http404
    exposures.record(request.user, Reason.RULE, attempt.revision, parts=exposures.ALL)
    context = {"attempt": attempt, "problem": attempt.revision.problem, "form": form, "own": own}
    if own is not None:
        # Only now: whoever rules is not to be led.
        context["judgements"] = attempt.judgements.select_related("configuration", "item__run")
        context["rulings"] = attempt.rulings.select_related("ruled_by")
        context["graded"] = with_grade(list_rulable(request.user)).get(pk=pk)
        context["following"] = list_waiting(request.user).first()
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/rule.html", context, status=status)


@role_required(Role.EVALUATOR)
@require_GET
def calibration(request: MemberRequest) -> HttpResponse:
    return render(request, "grading/calibration.html", {"rows": collect()})


@role_required(Role.EVALUATOR)
@require_GET
def calibration_csv(request: MemberRequest) -> HttpResponse:
    header = [
        "configuration", "sha256", "ruled", "right_called_right", "right_called_wrong",
        "right_missing", "wrong_called_right", "wrong_called_wrong", "wrong_missing", "coverage",
        "agreement", "agreement_low", "agreement_high", "sensitivity", "specificity", "kappa",
        "kappa_low", "kappa_high", "may_rank",
    ]  # fmt: skip
    rows = [
        [
            configuration.name,
            configuration.sha256,
            found.ruled,
            found.errors.true_accepts,
            found.errors.false_rejects,
            found.missing_right,
            found.errors.false_accepts,
            found.errors.true_rejects,
            found.missing_wrong,
            found.coverage,
            *_write(found.agreement),
            found.sensitivity.value,
            found.specificity.value,
            found.kappa.value,
            found.kappa_interval.low,
            found.kappa_interval.high,
            found.may_rank,
        ]
        for configuration, found in collect()
    ]
    return csv_response("calibration", header, rows)


def _write(mean: Mean) -> tuple[float | None, float | None, float | None]:
    return mean.value, mean.low, mean.high
