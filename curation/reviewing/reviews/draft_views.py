"""What a reviewer has typed is kept; and what the same form sends elsewhere: a note, not now."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.reviewing.discussion import actions as commenting
from curation.reviewing.reviews import drafts
from curation.reviewing.reviews.drafts import ChangedElsewhere
from curation.reviewing.reviews.forms import make_form, make_note_field, read_typed
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, get_round
from curation.reviewing.rounds.solves.models import ReviewDraft
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

Lines = list[tuple[str, str]]


def word_fields(review_round: ReviewRound, kind: str, fields: Mapping[str, str]) -> Lines:
    """Return what stands in a form's fields, each with its label; empty ones are left out."""
    lines = []
    for name, field in make_form(review_round.questions, kind).fields.items():
        value = fields.get(name, "")
        if value and not field.widget.is_hidden:
            choices = dict(getattr(field, "choices", []))
            lines.append((str(field.label), str(choices.get(value, value))))
    return lines


def _read_kind(request: MemberRequest) -> str:
    kind = request.POST.get("draft_of", "")
    if kind not in ReviewDraft.Kind.values:
        raise Http404
    return kind


def _keep(request: MemberRequest, review_round: ReviewRound, **changed: str) -> ReviewDraft:
    """Store what the form holds, or raise as `review_drafts.save` does."""
    kind = _read_kind(request)
    begun_with = request.POST.get("saved_over") or request.POST.get("draft_saved_at", "")
    return drafts.save(
        review_round=review_round,
        reviewer=request.user,
        kind=kind,
        fields={**read_typed(review_round.questions, kind, request.POST), **changed},
        saved_at=begun_with,
    )


def _save(request: MemberRequest, review_round: ReviewRound) -> HttpResponse:
    """Keep what is typed. While somebody types, the answer is a line beside the form."""
    context: dict[str, Any] = {"review_round": review_round}
    try:
        context["draft"] = _keep(request, review_round)
    except ChangedElsewhere as refusal:
        if not request.htmx:
            return _show_both(request, review_round, refusal)
        context["refused"] = str(refusal)
        context["stored"] = refusal.stored
        if refusal.stored:
            stored = refusal.stored
            context["lines"] = word_fields(review_round, stored.kind, stored.fields)
    except NotAllowedNow as refusal:
        context["refused"] = str(refusal)
    if request.htmx:
        return render(request, "curation/review.html#saved", context)
    if "refused" in context:
        messages.error(request, context["refused"])
    else:
        messages.success(
            request, _("Draft saved. Only you can see it; it is here when you come back.")
        )
    return redirect("curation:review", review_round.pk)


def _show_both(
    request: MemberRequest, review_round: ReviewRound, refusal: ChangedElsewhere
) -> HttpResponse:
    """Show what is stored beside what was typed, which is not; it can be kept instead."""
    kind = _read_kind(request)
    typed = read_typed(review_round.questions, kind, request.POST)
    stored = refusal.stored
    context = {
        "review_round": review_round,
        "problem": review_round.revision.problem,
        "refused": str(refusal),
        "drafts": [(stored, word_fields(review_round, kind, stored.fields))] if stored else [],
        "typed": word_fields(review_round, kind, typed),
        "sent": [*typed.items(), ("draft_of", kind)],
        "can_review": can_review(request.user, review_round),
    }
    return render(request, "curation/review_draft.html", context)


@never_cache
@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def draft(request: MemberRequest, pk: int) -> HttpResponse:
    """Show somebody what they typed and did not submit, whatever became of the round; keep it."""
    review_round = get_round(request, pk)
    if request.method == "POST":
        return _save(request, review_round)
    found = [
        one
        for kind in ReviewDraft.Kind.values
        if (one := drafts.find(review_round, request.user, kind))
    ]
    if not found:
        raise Http404
    context = {
        "review_round": review_round,
        "problem": review_round.revision.problem,
        "drafts": [(one, word_fields(review_round, one.kind, one.fields)) for one in found],
        "can_review": can_review(request.user, review_round),
    }
    return render(request, "curation/review_draft.html", context)


@role_required(Role.REVIEWER)
@require_POST
def drop(request: MemberRequest, pk: int) -> HttpResponse:
    review_round = get_round(request, pk)
    review_round.drafts.filter(reviewer=request.user, kind=_read_kind(request)).delete()
    messages.success(request, _("Deleted."))
    return redirect(review_round.get_queue_url())


@never_cache
@role_required(Role.REVIEWER)
@require_POST
def note(request: MemberRequest, pk: int) -> HttpResponse:
    """Send the note on the form to the admins, and keep the rest of what is typed."""
    review_round = get_round(request, pk)
    written = None
    try:
        text = make_note_field().clean(request.POST.get("note", ""))
        written = commenting.write_note(review_round=review_round, writer=request.user, text=text)
        if "draft_of" in request.POST:
            _keep(request, review_round, note="")
    except ValidationError as error:
        why = " ".join(error.messages)
        messages.error(request, _("The note was not sent: %(why)s") % {"why": why})
        if both := _keep_if_sent(request, review_round):
            return both
    except ChangedElsewhere as refusal:
        return _show_both(request, review_round, refusal)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        if written:
            messages.success(request, _("Your note is sent. Only admins can read it."))
        else:
            messages.error(request, _("Write the note first."))
    return redirect("curation:review", pk)


def _keep_if_sent(request: MemberRequest, review_round: ReviewRound) -> HttpResponse | None:
    """Keep what a button took along; where another window kept something else, show both."""
    if "draft_of" in request.POST:
        try:
            _keep(request, review_round)
        except ChangedElsewhere as refusal:
            return _show_both(request, review_round, refusal)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
    return None


@never_cache
@role_required(Role.REVIEWER)
@require_POST
def skip(request: MemberRequest, pk: int) -> HttpResponse:
    """Go on to the next in the queue, and come to this one last; what is typed is kept."""
    review_round = get_round(request, pk)
    if both := _keep_if_sent(request, review_round):
        return both
    drafts.skip(request.session, review_round)
    following = drafts.find_next(request, review_round)
    if following is None:
        messages.info(request, _("Nothing else is waiting for you."))
        return redirect(review_round.get_queue_url())
    return redirect("curation:review", following.pk)
