"""Tick what a reviewer asked for, or say why not, beside the editor."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.problems.exposures import ledger
from curation.problems.permissions import list_to_write
from curation.reviewing.discussion.forms import LONGEST
from curation.reviewing.reviews import remarks
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@never_cache
@role_required(Role.CONTRIBUTOR)
@require_POST
def answer_remark(request: MemberRequest, pk: int, kind: str, remark_pk: int) -> HttpResponse:
    """Keep that a remark is done, that it is open again, or why it is not followed."""
    problem = get_object_or_404(list_to_write(request.user), pk=pk)
    found = _find(request, pk, kind, remark_pk)
    text = request.POST.get("text", "").replace("\r\n", "\n")
    done = request.POST.get("done", "")
    refused = ""
    if len(text) > LONGEST or "\x00" in text:
        refused = _("This is too long: at most %(most)d characters.") % {"most": LONGEST}
    elif not done and not text.strip():
        refused = _("Write something first.")
    else:
        try:
            is_done = done == "yes" if done else found.is_done
            # “Done” is a tick: what stands in the box is sent with its own button.
            remarks.answer(
                remark=found, writer=request.user, is_done=is_done, text="" if done else text
            )
        except NotAllowedNow as refusal:
            refused = str(refusal)
    if not request.htmx:
        if refused:
            messages.error(request, refused)
        return redirect(reverse("curation:edit", args=[pk]) + f"#remark-{found.key}")
    revision = problem.revisions.submitted().latest("number")
    ledger.record(request.user, ledger.Reason.EDIT, revision, parts=ledger.ALL)
    context = {
        "remark": found if refused else _find(request, pk, kind, remark_pk),
        "problem": problem,
        "refused": refused,
        "typed": text if refused else "",
        "answered": not refused,
    }
    return render(request, "curation/_remarks.html#remark", context)


def _find(request: MemberRequest, pk: int, kind: str, remark_pk: int) -> remarks.Remark:
    problem = get_object_or_404(list_to_write(request.user), pk=pk)
    for one in remarks.list_remarks(request.user, problem):
        if (one.kind, one.pk) == (kind, remark_pk):
            return one
    raise Http404
