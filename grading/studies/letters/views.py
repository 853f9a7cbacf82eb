"""Remind people of a study, look after e-mails that failed, and want no more of them."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from grading.studies.letters import actions
from grading.studies.letters.models import Letter, LettersOff
from grading.studies.letters.permissions import list_studies_written_of
from grading.studies.models import Study
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

SHOWN = 50
"""Letters that failed, on the page; the newest."""


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def letters(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what became of the e-mails about a study, and write reminders."""
    study = get_object_or_404(Study, pk=pk)
    if request.method == "POST":
        count = actions.remind(study=study, by=request.user)
        said = ngettext(
            "One reminder is on its way.", "%(count)d reminders are on their way.", count
        )
        messages.success(request, said % {"count": count})
        return redirect("grading:letters", pk)
    counts = Letter.objects.filter(study=study).aggregate(
        invited=Count("pk", filter=Q(kind="INVITATION", sent_at__isnull=False)),
        reminded=Count("pk", filter=Q(kind="REMINDER", sent_at__isnull=False)),
        waiting=Count("pk", filter=Q(sent_at=None, failed_at=None)),
        failed=Count("pk", filter=Q(failed_at__isnull=False)),
    )
    context = {
        "study": study,
        "counts": counts,
        "to_remind": actions.list_to_remind(study).count(),
        "failed": Letter.objects.failed()
        .filter(study=study)
        .select_related("person")
        .order_by("-pk")[:SHOWN],
    }
    return render(request, "grading/letters.html", context)


@role_required(Role.ADMIN)
@require_POST
def send_letters_again(request: MemberRequest, pk: int) -> HttpResponse:
    study = get_object_or_404(Study, pk=pk)
    count = actions.send_again(study=study, by=request.user)
    said = ngettext("One e-mail is sent again.", "%(count)d e-mails are sent again.", count)
    messages.success(request, said % {"count": count})
    return redirect("grading:letters", pk)


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def letters_off(request: MemberRequest, pk: int) -> HttpResponse:
    """Have somebody get no more e-mails about a study that they were written to about."""
    study = get_object_or_404(list_studies_written_of(request.user), pk=pk)
    if request.method == "POST":
        actions.switch_off(study=study, person=request.user)
        messages.success(request, _("You get no more e-mails about this study."))
        return redirect("grading:sittings")
    is_off = LettersOff.objects.filter(study=study, person=request.user.pk).exists()
    return render(request, "grading/letters_off.html", {"study": study, "is_off": is_off})
