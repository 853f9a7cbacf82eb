"""Answer problems, outside studies."""

from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems import wording
from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.exposures.models import find_key_exposure
from curation.problems.models import Problem, Revision
from curation.problems.typed_answers import show_reading
from curation.versions import permissions
from curation.versions.permissions import list_to_answer
from grading.answers import actions
from grading.answers.forms import AnswerForm
from grading.answers.models import with_grade
from grading.answers.permissions import list_own_answers, list_told_answers
from grading.studies.sessions.permissions import (
    list_problems_of_studies,
    list_problems_to_sit,
    list_problems_until_studies_end,
)
from phybench.pages.listing import Column, Listing
from phybench.people.http import MemberRequest, few_at_once, role_required
from phybench.people.models import Role
from phybench_grader.reading.reading import Unreadable
from phybench_grader.statement.response import find_answer

LONGEST = 5_000
"""Characters that a preview looks at; an answer of more than 4,096 is refused by the reader."""
MOST_ANSWERED = 100
"""Answers of one's own that are listed, newest first."""


COLUMNS: list[Column[Problem]] = [
    Column("problem", gettext_lazy("Problem")),
    Column("domain", gettext_lazy("Domain")),
    Column("difficulty", gettext_lazy("Difficulty")),
]


@role_required(Role.PARTICIPANT)
@require_GET
def to_answer(request: MemberRequest) -> HttpResponse:
    user = request.user
    theirs = list_own_answers(user)
    told_of = list_told_answers(user)
    answered = with_grade(told_of.select_related("revision__problem")).order_by("-pk")
    unanswered = list_to_answer(user).exclude(pk__in=theirs.values("revision__problem"))
    problems = (
        unanswered.exclude(pk__in=list_problems_of_studies(user))
        .select_related("benchmark")
        .order_by("benchmark", "pk")
    )
    shown = answered[:MOST_ANSWERED]
    told = (one.revision_id for one in shown if one.tells_verdict)
    ledger.write_verdicts(user, Reason.GRADE, told)
    waiting = unanswered.filter(pk__in=list_problems_until_studies_end(user))
    context = {
        **Listing(request, problems, COLUMNS).describe(),
        "answered": shown,
        "waiting": waiting.count(),
        "can_sit_them": not waiting.exclude(pk__in=list_problems_to_sit(user)).exists(),
        "has_accepted": Problem.objects.accepted().exists(),
    }
    return render(request, "grading/to_answer.html", context)


@role_required(Role.PARTICIPANT)
@require_http_methods(["GET", "POST"])
def answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Take one answer to the problem with this number."""
    revision = _get_revision(pk)
    if revision.problem_id in list_problems_of_studies(request.user):
        return render(request, "grading/in_a_study.html", {"revision": revision})
    given = list_own_answers(request.user).filter(revision__problem=revision.problem)
    if existing := given.first():
        return redirect(existing)
    may_answer = permissions.may_answer(request.user, revision)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    read_so: dict[str, object] = {}
    if request.method == "POST" and form.is_valid():
        response = form.cleaned_data["response"]
        try:
            if may_answer and response != request.POST.get("as_it_is", "").strip():
                read_so = _read(response, revision)
            # There is one try: a bracket forgotten must not cost it unasked, nor a w for an ω.
            if isinstance(found := read_so.get("unreadable"), Unreadable):
                if found.is_over_limit:
                    raise actions.CannotAnswer(
                        _(
                            "This is too large for us to grade. Write it in a shorter form, or"
                            " submit it as it is: it will not be graded then."
                        )
                    )
                raise actions.CannotAnswer(
                    _("This can’t be read and would count 0. Fix it, or submit it as it is.")
                )
            if "stopped" in read_so:
                raise actions.CannotAnswer(
                    _(
                        "This takes too long to read. Write it in a shorter form, or "
                        "submit it as it is."
                    )
                )
            if read_so.get("unknown"):
                raise actions.CannotAnswer(
                    _(
                        "This has symbols that are not in the problem. Fix it, or submit "
                        "it as it is."
                    )
                )
            attempt = actions.answer(revision=revision, person=request.user, response=response)
        except actions.CannotAnswer as refused:
            # The second of two clicks is shown what the first one made.
            if existing := given.first():
                return redirect(existing)
            form.add_error(None, str(refused))
        else:
            return redirect(attempt)
    if form.errors:
        # A long statement stands above it: the page opens where there is something to mend.
        form.fields["response"].widget.attrs["autofocus"] = True
    ledger.record(request.user, Reason.ANSWER, revision)
    context = {
        "form": form,
        "revision": revision,
        "shown": wording.show(revision, request.user, request.GET.get("language")),
        "may_answer": may_answer,
        **read_so,
        "seen": None if may_answer else find_key_exposure(request.user, revision.problem),
    }
    return render(request, "grading/answer.html", context)


def _get_revision(problem: int) -> Revision:
    """Return what there is to answer of an accepted problem."""
    open_to_answers = Revision.objects.current().filter(problem__in=Problem.objects.accepted())
    return get_object_or_404(open_to_answers.select_related("problem"), problem=problem)


@role_required(Role.PARTICIPANT)
@require_POST
@few_at_once
def read_as(request: MemberRequest, pk: int) -> HttpResponse:
    """Show how an answer to this problem is read while it is typed: with its symbols."""
    context = _read(request.POST.get("response", ""), _get_revision(pk))
    return render(request, "_read_as.html", context)


def _read(response: str, revision: Revision) -> dict[str, object]:
    """Return what `_read_as.html` shows of a response: of a whole one the box counts."""
    text = find_answer(response[:LONGEST])
    context = show_reading(text, revision)
    may_mend = len(response) <= LONGEST
    context["unknown"] = [
        replace(one, mended=response.replace(text, one.mended) if one.mended and may_mend else "")
        for one in context.get("unknown", ())
    ]
    return context
