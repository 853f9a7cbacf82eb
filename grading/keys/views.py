"""Keys in doubt: the list for admins, the evidence for each, and what somebody found."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.exposures import ledger
from curation.exposures.ledger import Part, Reason
from grading.keys import tasks
from grading.keys.models import KeyCheck
from phybench.csv import csv_response
from phybench.forms import UncutField
from phybench.http import MemberRequest, role_required
from phybench.models import Role

A_PAGE = 25


class LookForm(forms.Form):
    note = UncutField(
        label=gettext_lazy("What you found"),
        max_length=2000,
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy(
            "The problem leaves the list until it gets more answers. The key itself is changed by "
            "a new revision."
        ),
    )


@role_required(Role.ADMIN)
@require_GET
def keys(request: MemberRequest) -> HttpResponse:
    shows_all = request.GET.get("show") == "all"
    checks = KeyCheck.objects.doubted() if shows_all else KeyCheck.objects.open()
    checks = checks.select_related("revision__problem__benchmark", "looked_by")
    context = {
        "page": Paginator(checks, A_PAGE).get_page(request.GET.get("page")),
        "shows_all": shows_all,
        "checked": KeyCheck.objects.count(),
    }
    return render(request, "grading/keys.html", context)


@role_required(Role.ADMIN)
@require_GET
def keys_csv(request: MemberRequest) -> HttpResponse:
    """Write every key in doubt with its figures."""
    header = ["id", "title", "doubts", "solvers", "right", "most_on_another", "strong", "weak"]
    header += ["blind_solves"]
    checks = KeyCheck.objects.doubted().select_related("revision__problem")
    rows = (
        [
            check.revision.problem.identifier,
            check.revision.problem.title,
            " ".join(check.doubts),
            check.solvers,
            sum(count for group, count in check.counted_groups if group["is_key"]),
            max((n for group, n in check.counted_groups if not group["is_key"]), default=0),
            check.strong,
            check.weak,
            check.blind_solves,
        ]
        for check in checks
    )
    return csv_response("keys", header, rows)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def key(request: MemberRequest, pk: int) -> HttpResponse:
    check = get_object_or_404(
        KeyCheck.objects.select_related("revision__problem", "looked_by"), pk=pk
    )
    form = LookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        KeyCheck.objects.filter(pk=pk).update(
            looked_at=timezone.now(),
            looked_by=request.user,
            looked_grade=check.last_grade,
            note=form.cleaned_data["note"],
        )
        messages.success(request, _("Noted. It comes back to the list when it has more answers."))
        return redirect("grading:keys")
    parts = (Part.STATEMENT, Part.ANSWER)
    ledger.record(request.user, Reason.DOUBT, check.revision, parts=parts)
    most = max((count for _group, count in check.counted_groups), default=0)
    context = {"check": check, "form": form, "most": max(most, 1)}
    return render(request, "grading/key.html", context)


@role_required(Role.ADMIN)
@require_POST
def look_again(request: MemberRequest) -> HttpResponse:
    """Have the worker check what got answers since."""
    tasks.scan_keys.delay()
    count = KeyCheck.objects.count()
    text = ngettext(
        "The worker looks at what has new answers. One key was checked before.",
        "The worker looks at what has new answers. %(count)d keys were checked before.",
        count,
    )
    messages.info(request, text % {"count": count})
    return redirect("grading:keys")
