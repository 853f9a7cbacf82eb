"""The page on which a contested grade is ruled on. It tells nothing of whose answer it is."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.models import Revision
from curation.reports.permissions import can_discuss
from grading.answers.models import Grade
from grading.answers.responses import mark_graded
from grading.answers.trees.drawing import draw
from grading.disputes.contests.actions import find_grade
from grading.disputes.contests.evidence import Compared, compare, find_key, try_reading
from grading.disputes.contests.forms import LONGEST, RulingForm
from grading.disputes.contests.models import Contest
from grading.disputes.contests.outcomes import say
from grading.disputes.contests.permissions import (
    can_rule_contest,
    is_refused_by_name,
    list_rulable_contests,
)
from grading.disputes.contests.ruling import (
    CannotRead,
    CannotRule,
    describe_seen,
    has_key_in_use,
    rule,
    say_who_rules,
)
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence


@never_cache
@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def contest(request: MemberRequest, pk: int) -> HttpResponse:
    found = _find(request.user, pk)
    if found.taken_back_at is not None:
        messages.info(request, _("This contest was withdrawn, so there is nothing to rule on."))
        return redirect("grading:contests_to_rule")
    current = find_grade(found.attempt)
    given = request.POST if request.method == "POST" else None
    form = RulingForm(given, grade=current, seen=describe_seen(found.attempt))
    if form.is_bound and form.is_valid() and _rule(request, found, form):
        return redirect(found)
    key = find_key(found.attempt)
    _record(request.user, found, key)
    status = 400 if form.is_bound and found.is_open else 200
    return render(
        request, "grading/contest.html", _show(request, found, key, current, form), status=status
    )


def _find(user: User, pk: int) -> Contest:
    """Return a contest that is theirs to rule on; say to an admin why one is not."""
    every = Contest.objects.select_related(
        "attempt__revision__problem", "grade__override", "ruled_by", "report", "override"
    )
    found = get_object_or_404(every, pk=pk)
    is_theirs = can_rule_contest(user, found)
    if is_theirs or (found.taken_back_at and is_refused_by_name(user)):
        return found
    if is_refused_by_name(user):
        raise PermissionDenied(say_who_rules(found, user))
    raise Http404


def _rule(request: MemberRequest, found: Contest, form: RulingForm) -> bool:
    try:
        rule(contest=found, by=request.user, decision=form.decide())
    except CannotRule as refused:
        now = Contest.objects.get(pk=found.pk)
        if now.is_open:
            form.add_error("read_as" if isinstance(refused, CannotRead) else None, str(refused))
            return False
        messages.warning(request, str(refused))
    else:
        messages.success(request, _("Ruling saved. The person who contested the grade is told."))
    return True


def _record(user: User, found: Contest, key: Revision) -> None:
    parts = (*ledger.ALL, Part.VERDICT)
    ledger.record(user, Reason.RULE, found.attempt.revision, parts=parts)
    if key.pk != found.attempt.revision_id:
        ledger.record(user, Reason.RULE, key, parts=(Part.ANSWER,))


def _show(
    request: MemberRequest, found: Contest, key: Revision, current: Grade | None, form: RulingForm
) -> dict[str, Any]:
    grade = found.grade or current
    response = found.attempt.response
    others = list_rulable_contests(request.user).open().exclude(pk=found.pk)
    return {
        "contest": found,
        "problem": found.attempt.revision.problem,
        "revision": found.attempt.revision,
        "attempt": {"response": response},
        "key": key,
        "has_key_in_use": has_key_in_use(key),
        "grade": grade,
        "replaced_by": current
        if current and found.grade and current.pk != found.grade_id
        else None,
        "failure": None if grade else found.attempt.failure_message,
        "notes": [Sentence.read(note) for note in grade.notes] if grade else [],
        "pictures": draw(grade.trees, shows_key=True) if grade and grade.trees else None,
        "response": mark_graded(
            response,
            grade.answer_start if grade else None,
            grade.answer_end if grade else None,
            is_whole="whole" in request.GET,
        ),
        "form": form,
        "ruling": found.override,
        "said": say(found, shows_key=True),
        "may_read_report": found.report is not None and can_discuss(request.user, found.report),
        "waiting": others.count(),
        "following": others.order_by("contested_at", "pk").first(),
    }


@never_cache
@role_required(Role.EVALUATOR)
@require_GET
@few_at_once
def values(request: MemberRequest, pk: int) -> HttpResponse:
    """Show the values of the answer and its key; the page asks for them once it is there."""
    found = _find(request.user, pk)
    key = find_key(found.attempt)
    _record(request.user, found, key)
    grade = found.grade or find_grade(found.attempt)
    compared = _compare(found.attempt.response, grade, key)
    return render(request, "grading/_values.html", {"compared": compared})


def _compare(response: str, grade: Grade | None, key: Revision) -> Compared:
    """Evaluate what was graded: the reading that the grade went by, where it is known."""
    if grade is None:
        return compare(response, key)
    if grade.override and grade.override.read_as:
        response = grade.override.read_as
    return compare(response, key, read_as=grade.answer_read)


@never_cache
@role_required(Role.EVALUATOR)
@require_POST
@few_at_once
def read_contested(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how another reading of the answer is read, its values, and what it would get."""
    found = _find(request.user, pk)
    text = request.POST.get("read_as", "")[:LONGEST].strip()
    key = find_key(found.attempt)
    _record(request.user, found, key)
    tried = try_reading(text, key) if text else None
    return render(request, "grading/contest.html#tried", {"tried": tried})
