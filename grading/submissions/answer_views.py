"""Show one answer, and explain its grade."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Part, Reason
from curation.problems.permissions import can_see_key
from grading.answers.models import OF_THE_KEY, Grade, VerdictChoice
from grading.answers.permissions import list_attempts, tells_key
from grading.answers.responses import mark_graded
from grading.answers.runs.models import RunKey
from grading.answers.trees.drawing import draw
from grading.disputes.contests.actions import mark_read
from grading.disputes.contests.outcomes import find_overruled, list_outcomes
from grading.disputes.contests.permissions import can_contest
from grading.submissions.neighbours import find_neighbours
from phybench.people.http import MemberRequest
from phybench_grader.numbers.sentences import Sentence


@require_GET
def attempt(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(
        list_attempts(request.user).select_related("solver", "submission", "revision__problem"),
        pk=pk,
    )
    grades = list(
        found.grades.published().select_related("run", "override__ruled_by", "override__contest")
    )
    current = next((grade for grade in grades if grade.run.is_adopted), None)
    used = RunKey.objects.in_use().filter(revision=found.revision).select_related("key").first()
    neighbours = find_neighbours(found, request)
    # What was read of the reference, and the edits from the answer to it, give the key away.
    shows_key = can_see_key(request.user, found.revision.problem)
    tells_verdict = bool(grades) or found.tells_verdict or neighbours.tell_verdicts
    parts = [
        Part.STATEMENT,
        *([Part.VERDICT] if tells_verdict else []),
        *([Part.ANSWER] if shows_key or tells_key(request.user, found, grades) else []),
    ]
    ledger.record(request.user, Reason.GRADE, found.revision, parts=parts)
    outcomes = list_outcomes(found, current, request.user)
    mark_read((one.contest for one in outcomes), request.user)
    context = {
        "attempt": found,
        "outcomes": outcomes,
        "overruled": find_overruled(current, request.user),
        # What was ruled in place of the grader’s verdict has no other reason than the ruling’s.
        "is_ruled_outright": bool(current and current.override and not current.override.read_as),
        "can_contest": not found.is_waiting
        and not any(one.bars_another(current) for one in outcomes)
        and can_contest(request.user, found),
        "problem": found.revision.problem,
        "neighbours": neighbours,
        "failure": _("The reference answer can’t be read.")
        if found.failure_reason == "reference_unreadable" and not shows_key
        else found.failure_message,
        "grade": current,
        "earlier": [grade for grade in grades if grade is not current],
        "arithmetic": _arithmetic(current) if current else "",
        "notes": [
            note
            for note in (map(Sentence.read, current.notes) if current else ())
            if shows_key or note.code not in OF_THE_KEY
        ],
        "shows_key": shows_key,
        "pictures": draw(current.trees, shows_key=shows_key) if current and current.trees else None,
        "response": mark_graded(
            found.response,
            current.answer_start if current else None,
            current.answer_end if current else None,
            is_whole="whole" in request.GET,
        ),
        "errata": (used.key if used else found.revision)
        .errata.filter(is_of_key=True)
        .select_related("revision", "corrected_by"),
    }
    template = "grading/attempt.html#grade" if request.htmx else "grading/attempt.html"
    return render(request, template, context)


def _arithmetic(grade: Grade) -> str:
    """Write the score out in one line; nothing where it takes no arithmetic."""
    if grade.distance is None or not grade.size or grade.verdict == VerdictChoice.CORRECT:
        return ""
    raw = 60 - 100 * grade.distance / grade.size
    line = f"60 − 100 × {grade.distance:g}/{grade.size:g} = {raw:.1f}"
    return line.replace("= -", "= −") + (_(", below 0, so 0") if raw < 0 else "")
