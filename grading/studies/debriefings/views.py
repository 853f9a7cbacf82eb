"""After a session: what came of it, and what its person says of the problems."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.permissions import list_with_key
from grading.answers.models import Attempt, with_grade
from grading.studies import permissions
from grading.studies.debriefings import actions
from grading.studies.debriefings.forms import DebriefingForm
from grading.studies.debriefings.models import Debriefing
from grading.studies.sessions.models import SessionItem
from grading.studies.sessions.permissions import list_own_sessions
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def debrief(request: MemberRequest, pk: int) -> HttpResponse:
    """Show somebody the problems that they sat, and take what they say of them."""
    own = list_own_sessions(request.user).select_related("participation__study")
    session = get_object_or_404(own, pk=pk)
    if session.ended_at is None:
        return redirect(session)
    study = session.participation.study
    is_told = permissions.is_told(study)
    rows = _list_rows(
        request,
        list(
            session.items.select_related(
                "session__participation",
                "study_item__study",
                "study_item__item__revision__problem",
                "debriefing",
            )
        ),
        shows_grades=study.shows_results and is_told,
        shows_keys=study.shows_keys and is_told,
    )
    # Each is looked at, so that each tells what is to mend.
    are_valid = [row["form"].is_valid() for row in rows]
    if request.method == "POST" and all(are_valid):
        for row in rows:
            said = row["form"].cleaned_data
            actions.say(item=row["item"], person=request.user, said=said)
        messages.success(request, _("Saved. Thank you."))
        return redirect("grading:debrief", pk)
    context = {"session": session, "study": study, "rows": rows, "is_told": is_told}
    return render(request, "grading/debrief.html", context)


def _list_rows(
    request: MemberRequest, items: list[SessionItem], *, shows_grades: bool, shows_keys: bool
) -> list[dict[str, Any]]:
    attempts = [one.attempt_id for one in items if one.attempt_id]
    graded = with_grade(Attempt.objects.filter(pk__in=attempts)).in_bulk()
    revisions = [one.study_item.item.revision for one in items]
    ledger.record(
        request.user, Reason.SIT, *revisions, parts=ledger.ALL if shows_keys else ledger.STATEMENT
    )
    if shows_grades:
        ledger.write_verdicts(request.user, Reason.SIT, [one.pk for one in revisions])
    rows = []
    for item in items:
        attempt = graded.get(item.attempt_id) if item.attempt_id else None
        form = DebriefingForm(
            request.POST if request.method == "POST" else None,
            instance=getattr(item, "debriefing", None) or Debriefing(item=item),
            prefix=f"problem-{item.place}",
            shows_key=shows_keys,
            is_wrong=attempt is not None and attempt.accuracy == 0,
        )
        rows.append(
            {
                "item": item,
                "attempt": attempt,
                "shows_grade": shows_grades,
                "revision": item.study_item.item.revision if shows_keys else None,
                "form": form,
            }
        )
    return rows


@require_GET
def said_of_problem(request: MemberRequest, pk: int) -> HttpResponse:
    """Show those who may read a problem's key what people said of it after they sat it."""
    problem = get_object_or_404(list_with_key(request.user), pk=pk)
    context = {"problem": problem, "said": actions.collect(problem)}
    return render(request, "grading/_said_of_problem.html", context)
