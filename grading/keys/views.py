"""Keys in doubt: the list for admins, the evidence for each, and what somebody found."""

from collections.abc import Iterable

from django import forms
from django.contrib import messages
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
from phybench.forms import UncutField
from phybench.http import MemberRequest, role_required
from phybench.listing import Column, Listing, Tab
from phybench.models import Role

COLUMNS: list[Column[KeyCheck]] = [
    Column("id", gettext_lazy("Problem"), value=lambda one: one.revision.problem.identifier),
    Column("title", value=lambda one: one.revision.problem.title),
    Column("doubts", gettext_lazy("Why"), value=lambda one: " ".join(one.doubts)),
    Column("solvers", gettext_lazy("Solvers"), value=lambda one: one.solvers, is_number=True),
    Column(
        "right",
        value=lambda one: sum(count for group, count in one.counted_groups if group["is_key"]),
    ),
    Column(
        "most_on_another",
        value=lambda one: max(
            (count for group, count in one.counted_groups if not group["is_key"]), default=0
        ),
    ),
    Column("strong", value=lambda one: one.strong),
    Column("weak", value=lambda one: one.weak),
    Column("blind_solves", value=lambda one: one.blind_solves),
    Column("looked_at", gettext_lazy("Looked at")),
]


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
    show = "all" if request.GET.get("show") == "all" else ""
    checks = KeyCheck.objects.doubted() if show else KeyCheck.objects.open()
    tabs = [
        Tab("?", _("To be looked at"), is_current=not show),
        Tab("?show=all", _("All"), is_current=bool(show)),
    ]
    found = checks.select_related("revision__problem__benchmark", "looked_by")
    context = Listing(request, found, COLUMNS, tabs=tabs).describe()
    _record_told(request, context["page"])
    context["checked"] = KeyCheck.objects.count()
    return render(request, "grading/keys.html", context)


@role_required(Role.ADMIN)
@require_GET
def keys_csv(request: MemberRequest) -> HttpResponse:
    """Write every key in doubt with its figures."""
    checks = KeyCheck.objects.doubted().select_related("revision__problem")
    _record_told(request, checks)
    return Listing(request, checks, COLUMNS).write("keys")


def _record_told(request: MemberRequest, checks: Iterable[KeyCheck]) -> None:
    """Write down that somebody is told how many were right, and of whom that is said at all."""
    ledger.write_verdicts(request.user, Reason.DOUBT, (one.revision_id for one in checks))


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
    parts = (Part.STATEMENT, Part.ANSWER, Part.VERDICT)
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
