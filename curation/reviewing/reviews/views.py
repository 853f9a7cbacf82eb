"""The page on which a problem is solved blind and judged."""

from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems import wording
from curation.problems.certificates import actions as certifying
from curation.problems.certificates.description import describe
from curation.problems.checks import check
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Revision
from curation.problems.typed_answers import show_reading
from curation.problems.views import describe_changes
from curation.reviewing.assignments.permissions import Prospects, is_needed_blind, list_queue
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.permissions import list_notes
from curation.reviewing.discussion.threads import show_comments
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.reviews import drafts
from curation.reviewing.reviews.drafts import find_next
from curation.reviewing.reviews.forms import ReviewForm, SolveForm, read_typed
from curation.reviewing.reviews.summary import show_rounds, word_answers
from curation.reviewing.rounds import permissions
from curation.reviewing.rounds.lifecycle import find_given, submit_review
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import (
    Eligibility,
    can_review,
    find_split,
    get_round,
    is_asked,
    must_solve,
)
from curation.reviewing.rounds.solves.models import BlindSolve, ReviewDraft, SolveKind
from curation.reviewing.rounds.stages import list_stages
from curation.texts.comparison import compare_words
from curation.texts.workflow import NotAllowedNow, Step
from phybench.pages.templatetags.typography import gap
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

WHY_NOT = {
    "round_closed": gettext_lazy("That stage is closed."),
    "of_institution": gettext_lazy(
        "You can’t review this problem: an author is from your institution."
    ),
    "in_conflict": gettext_lazy("You can’t review this problem: you have a conflict of interest."),
    "has_read_reviews": gettext_lazy(
        "You can’t review this: you have read its reviews to decide between them."
    ),
    "has_seen_answer": gettext_lazy(
        "You can’t review this: people who have seen the answer can’t solve it blind."
    ),
    "sees_answers": gettext_lazy(
        "You can’t review this: admins see every answer, so they can’t solve it blind."
    ),
}


def _is_over(request: MemberRequest, review_round: ReviewRound) -> HttpResponse:
    """Say why there is nothing to do here; what was typed for it stays."""
    found = Eligibility([review_round], [request.user]).find_obstacle(review_round, request.user)
    if found and found.code in WHY_NOT:
        why = str(WHY_NOT[found.code])
    elif review_round.version.is_open_to_all:
        # It is split: who may still be asked to review it is not told so.
        why = _("This stage has enough reviews.")
    else:
        why = _("This stage is only for reviewers who are asked.")
    messages.info(request, why)
    return _leave(request, review_round)


def _leave(request: MemberRequest, review_round: ReviewRound) -> HttpResponse:
    kind = request.POST.get("draft_of", "")
    if kind in ReviewDraft.Kind.values:
        # Refused, or submitted already: then there is nothing to rescue.
        with suppress(NotAllowedNow):
            drafts.save(
                review_round=review_round,
                reviewer=request.user,
                kind=kind,
                fields=read_typed(review_round.questions, kind, request.POST),
                saved_at=request.POST.get("draft_saved_at", ""),
                is_rescue=True,
            )
    if review_round.drafts.filter(reviewer=request.user).exists():
        return redirect("curation:review_draft", review_round.pk)
    return redirect(review_round.get_queue_url())


# What was shown before the solve is not what is there after it: no copy is kept.
@never_cache
@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def review(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what there is to do in a round, solve first where it is blind; take the review."""
    review_round = get_round(request, pk)
    questions = review_round.questions
    if not can_review(request.user, review_round):
        if request.method == "POST":
            form = ReviewForm(request.POST, questions=questions)
            if form.is_valid() and _is_given(request, review_round, form):
                return _go_on(request, review_round)
        return _is_over(request, review_round)
    if must_solve(request.user, review_round):
        draft = drafts.find(review_round, request.user, ReviewDraft.Kind.SOLVE)
        return _show_solving(request, review_round, SolveForm(initial=_fill_from(draft)), draft)
    prospects = Prospects([review_round])
    if prospects.spends(review_round, request.user):
        ledger.record(request.user, Reason.REVIEW, review_round.revision)
        context = {
            **_describe(request, review_round, "warn"),
            "outlook": prospects.find_after(review_round, request.user),
            "must_keep_away": _must_keep_away(request.user, review_round),
        }
        return render(request, "curation/review.html", context)
    last = review_round.reviews.filter(reviewer=request.user).order_by("number").last()
    draft = drafts.find(review_round, request.user, ReviewDraft.Kind.REVIEW)
    if request.method == "POST":
        form = ReviewForm(request.POST, questions=questions)
        if form.is_valid():
            return _record(request, review_round, form)
    else:
        given = ReviewForm.fill_from(last, questions) if last else {"replaces": 0}
        form = ReviewForm(
            questions=questions,
            initial=_fill_from(draft) if draft else given,
        )
    shows_key = permissions.shows_key(request.user, review_round)
    parts = ledger.ALL if shows_key else ledger.STATEMENT
    ledger.record(request.user, Reason.REVIEW, review_round.revision, parts=parts)
    before = _find_before(request.user, review_round.revision)
    context = {
        **_describe(request, review_round, "judge"),
        **_gather(request.user, review_round, before),
        **(_gather_evidence(request.user, review_round, before) if shows_key else {}),
        "shows_key": shows_key,
        "form": form,
        "draft": draft,
    }
    return render(request, "curation/review.html", context)


def _must_keep_away(user: User, review_round: ReviewRound) -> bool:
    """Whether the answer is not for `user`: they are needed blind, and no admin asked them."""
    asked = user.assignments.open().filter(round=review_round)
    return is_needed_blind(user, review_round) and not asked.exists()


def _fill_from(draft: ReviewDraft | None) -> dict[str, str]:
    """Return what somebody had typed as what to begin with."""
    return {**draft.fields, "draft_saved_at": draft.saved_at.isoformat()} if draft else {}


def _describe(request: MemberRequest, review_round: ReviewRound, phase: str) -> dict[str, Any]:
    """Return what may be known before the answer is: no key, nobody's verdict."""
    return {
        "phase": phase,
        "review_round": review_round,
        "revision": review_round.revision,
        "shown": wording.show(review_round.revision, request.user, request.GET.get("language")),
        "problem": review_round.revision.problem,
        "stages": list_stages(review_round.revision.problem),
        "waiting": list_queue(request.user).count(),
        "given_count": ReviewRound.objects.open().reviewed_by(request.user).count(),
        "comments": show_comments(request.user, review_round.revision, review_round=review_round),
        "notes": list_notes(request.user, review_round.revision.problem),
    }


def _gather(user: User, review_round: ReviewRound, before: Review | None) -> dict[str, Any]:
    """Return what stands beside the form, whether the key may be seen or not."""
    revision = review_round.revision
    was = before.round.revision.statement if before else ""
    return {
        "own": user.reviews.newest().filter(round=review_round).first(),
        "split": find_split(user, revision.problem),
        "statement_changes": [(_("Statement"), compare_words(was, revision.statement))],
        "before": before,
        "before_answers": word_answers(before.round, before) if before else [],
        "before_holds": before is not None and _still_holds(before.round, revision),
        "solve": review_round.solves.filter(reviewer=user).first(),
    }


def _find_before(user: User, revision: Revision) -> Review | None:
    """Return the newest review that `user` gave of an earlier revision."""
    earlier = (
        user.reviews.newest()
        .filter(
            round__revision__problem=revision.problem, round__revision__number__lt=revision.number
        )
        .select_related("round__revision", "round__version")
    )
    return earlier.order_by("-round__revision__number", "-round__number").first()


def _gather_evidence(
    user: User, review_round: ReviewRound, before: Review | None
) -> dict[str, Any]:
    """Return what is shown with the key."""
    revision = review_round.revision
    return {
        "changes": describe_changes(before.round.revision, revision) if before else {},
        "checked": check(
            revision.answer, revision.statement, rows=revision.symbol_rows, reads_twice=True
        ),
        # Nor does an admin who reviews begin with what others said.
        "others": [] if is_asked(user, revision.problem) else show_rounds(user, revision.problem),
        **describe(certifying.find(revision.problem, revision.reference)),
    }


def _still_holds(earlier: ReviewRound, revision: Revision) -> bool:
    """Whether what an earlier revision passed was carried over to this one."""
    original = earlier.carried_from_id or earlier.pk
    return revision.rounds.filter(carried_from=original).exists()


def _show_solving(
    request: MemberRequest,
    review_round: ReviewRound,
    form: SolveForm,
    draft: ReviewDraft | None = None,
    read_so: dict[str, Any] | None = None,
) -> HttpResponse:
    ledger.record(request.user, Reason.SOLVE, review_round.revision)
    context = {
        **_describe(request, review_round, "solve"),
        **(read_so or {}),
        "form": form,
        "draft": draft,
    }
    return render(request, "curation/review.html", context)


@never_cache
@role_required(Role.REVIEWER)
@require_POST
def show_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the key to a reviewer who gives up solving it blind in a later stage."""
    review_round = get_round(request, pk)
    if not can_review(request.user, review_round):
        return _is_over(request, review_round)
    version = review_round.version
    may_see = version.shows_key and not version.is_blind
    if may_see and not _must_keep_away(request.user, review_round):
        reviewing.show_key(review_round.revision, request.user)
    return redirect("curation:review", pk)


@never_cache
@role_required(Role.REVIEWER)
@require_POST
def solve(request: MemberRequest, pk: int) -> HttpResponse:
    """Take a blind answer; the page that follows shows the key."""
    review_round = get_round(request, pk)
    form = SolveForm(request.POST)
    if given := review_round.solves.filter(reviewer=request.user).first():
        _say_kept(request, given)
        return redirect("curation:review", pk)
    if not can_review(request.user, review_round):
        return _is_over(request, review_round)
    if not must_solve(request.user, review_round):
        return redirect("curation:review", pk)
    read_so: dict[str, Any] = {}
    if form.is_valid() and form.cleaned_data["answer"] != request.POST.get("as_it_is"):
        # There is one try: a w for an ω must not cost it unasked.
        read_so = show_reading(form.cleaned_data["answer"], review_round.revision)
        if read_so.get("unknown"):
            form.add_error(
                "answer",
                _(
                    "This contains symbols that are not in the problem. Fix it, or submit "
                    "it as it is."
                ),
            )
        elif "stopped" in read_so:
            form.add_error(
                "answer",
                _(
                    "This takes too long to read. Write it in a shorter form, or submit it "
                    "as it is."
                ),
            )
    if form.is_valid():
        try:
            kept = reviewing.solve_blind(
                review_round=review_round, reviewer=request.user, **form.read()
            )
            _say_kept(request, kept)
            commenting.write_note(
                review_round=review_round, writer=request.user, text=form.cleaned_data["note"]
            )
        except reviewing.UnreadableSolve as unreadable:
            form.add_error("answer", str(unreadable))
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
            return _leave(request, review_round)
        else:
            return redirect("curation:review", pk)
    return _show_solving(request, review_round, form, read_so=read_so)


def _say_kept(request: MemberRequest, kept: BlindSolve) -> None:
    """Say that the first answer counts, where something else was sent after it."""
    sent = {name: request.POST.get(name, "").replace("\r\n", "\n") for name in ("answer", "reason")}
    if kept.kind == SolveKind.ANSWER:
        name, was = "answer", kept.answer
    else:
        name, was = "reason", str(kept.get_kind_display())
    is_same = sent[name].strip() == getattr(kept, name).strip()
    is_same = is_same and request.POST.get("kind") == kept.kind
    if not is_same:
        now = sent["answer"] or sent["reason"]
        text = _(
            "Your first answer counts: “%(kept)s”. The reference answer was shown after it, so "
            "what you sent now is not recorded: “%(sent)s”."
        )
        messages.warning(request, text % {"kept": was, "sent": now})


def _is_given(request: MemberRequest, review_round: ReviewRound, form: ReviewForm) -> bool:
    """Whether the same form was sent before: the second of two clicks goes where the first did."""
    given = find_given(review_round=review_round, reviewer=request.user, **form.read())
    return given is not None


def _record(request: MemberRequest, review_round: ReviewRound, form: ReviewForm) -> HttpResponse:
    said = form.read()
    note = said.pop("note")
    try:
        with transaction.atomic():
            if note.strip():
                commenting.write_note(review_round=review_round, writer=request.user, text=note)
            submit_review(review_round=review_round, reviewer=request.user, **said)
    except NotAllowedNow as refusal:
        if not _is_given(request, review_round, form):
            messages.error(request, str(refusal))
            return _leave(request, review_round)
    return _go_on(request, review_round)


def _say_outcome(review_round: ReviewRound) -> str:
    """Say what became of a stage after a review, and what comes next."""
    if review_round.decision == Step.PASS:
        following = ReviewRound.objects.open().get(revision=review_round.revision_id)
        names = {"stage": review_round.version.title, "next": following.version.title}
        return _("“%(stage)s” is passed. Next: “%(next)s”.") % names
    outcomes = {
        Step.ACCEPT.value: _("The problem is accepted."),
        Step.RETURN.value: _("The problem goes back to its author."),
    }
    return outcomes.get(review_round.decision, _("This stage needs more reviews."))


def _go_on(request: MemberRequest, review_round: ReviewRound) -> HttpResponse:
    """After a review: say what came of it, and lead to the next."""
    problem = review_round.revision.problem
    review_round.refresh_from_db()
    outcome = _say_outcome(review_round)
    if find_split(request.user, problem):
        outcome = _("Reviewers differ: someone else decides. Until then you can change yours.")
    said = _("Your review of “%(title)s” is recorded.") % {"title": problem.title}
    messages.success(request, f"{said}{gap()}{outcome}")
    following = find_next(request, review_round)
    if following is None:
        return redirect(review_round.get_queue_url())
    return redirect("curation:review", following.pk)
