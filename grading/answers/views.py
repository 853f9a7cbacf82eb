"""Hand in models' answers, and read how they were graded."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation import permissions as of_curation
from curation.exposures import ledger
from curation.exposures.ledger import Part, Reason
from curation.versions.models import BenchmarkVersion
from grading import permissions
from grading.answers import actions, publication
from grading.answers.files import RefusedFile
from grading.answers.forms import UploadForm, list_open
from grading.answers.models import Attempt, Grade, Submission, VerdictChoice, with_grade
from grading.expressions import Sentence
from grading.runs.models import RunKey
from grading.statistics.metrics import AnswerOutcome, Tally, count_lacking, tally
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.listing import Column, Listing, Order, by_index
from phybench.models import Role

A_PAGE = 50
ATTEMPT_COLUMNS: list[Column[Attempt]] = [
    Column("id", gettext_lazy("Problem"), by_index("pk")),
    Column("verdict", gettext_lazy("Verdict")),
    Column("eed", gettext_lazy("EED"), Order(["eed", "pk"], ["-eed", "pk"]), is_number=True),
]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def upload(request: MemberRequest) -> HttpResponse:
    organisations = permissions.list_hand_in_for(request.user)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = UploadForm(organisations, *data)
    if form.is_bound and form.is_valid():
        made = _hand_in(request, form)
        if made is not None:
            messages.success(request, _say_handed_in(made))
            return redirect(made[0] if len(made) == 1 else "grading:submissions")
    context = {
        "form": form,
        "benchmarks": list_open(),
        "organisations": organisations,
    }
    return render(request, "grading/upload.html", context, status=400 if form.errors else 200)


def _hand_in(request: MemberRequest, form: UploadForm) -> list[Submission] | None:
    file = form.cleaned_data["file"]
    try:
        return actions.hand_in_once(
            organisation=form.cleaned_data["organisation"],
            benchmark=form.cleaned_data["benchmark"],
            uploaded_by=request.user,
            file_name=file.name,
            content=file.read(),
            is_named=form.cleaned_data["is_named"],
            again=form.cleaned_data["again"],
        )
    except (RefusedFile, actions.TooMany) as refused:
        form.add_error("file", str(refused))
    except actions.HandedInBefore as before:
        form.add_error("again", str(before))
    return None


def _say_handed_in(made: list[Submission]) -> str:
    answers = Attempt.objects.filter(submission__in=made).count()
    text = ngettext("%(count)d answer is queued.", "%(count)d answers are queued.", answers)
    return text % {"count": answers}


@role_required(Role.EVALUATOR)
@require_GET
def problems_json(request: MemberRequest, slug: str) -> HttpResponse:
    """
    Give the problems of a benchmark's newest version as PHYBench publishes them, without keys.

    Beside each statement stands what is asked, as a sentence to put behind it.
    """
    version = get_object_or_404(BenchmarkVersion.objects.current(), benchmark__slug=slug)
    items = list(version.items.with_all())
    ledger.record(request.user, Reason.EXPORT, *(item.revision for item in items))
    rows = [
        {
            "id": item.identifier,
            "tag": item.problem.domain,
            "content": item.revision.statement,
            "asked": item.revision.wanted.write() if item.revision.wanted else "",
        }
        for item in items
    ]
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-problems.json"'
    return response


@dataclass(frozen=True, slots=True)
class SubmissionProgress:
    """How far a submission's grading got."""

    total: int
    done: int
    waiting: int
    before: int
    """Answers of others that were queued earlier and still wait."""
    counts: dict[str, int]
    """By verdict, and `FAILED`."""
    tally: Tally
    missing: int
    lacking: int
    """Those of the missing ones whose problem has other answers."""


def _progress(submission: Submission) -> SubmissionProgress:
    counts: dict[str, int] = dict.fromkeys([*VerdictChoice.values, "FAILED"], 0)
    outcomes: list[AnswerOutcome] = []
    given: Counter[int] = Counter()
    waiting = total = first = 0
    for pk, problem, status, accuracy, eed, verdict in (
        with_grade(submission.attempts.all())
        .order_by("pk")
        .values_list("pk", "revision__problem_id", "status", "accuracy", "eed", "verdict")
    ):
        total += 1
        given[problem] += 1
        if status == Attempt.Status.GRADED:
            counts[verdict] += 1
            outcomes.append(
                AnswerOutcome(problem, accuracy, eed, verdict == VerdictChoice.UNREADABLE)
            )
        elif status == Attempt.Status.FAILED:
            counts["FAILED"] += 1
            outcomes.append(AnswerOutcome(problem))
        else:
            waiting += 1
            first = first or pk
    missing = max(0, submission.expected - len(given))
    lacking = count_lacking(given)
    before = 0
    if waiting == total and total:
        before = Attempt.objects.waiting().filter(pk__lt=first).count()
    return SubmissionProgress(
        total=total,
        done=total - waiting,
        waiting=waiting,
        before=before,
        counts=counts,
        tally=tally(outcomes) if waiting else tally(outcomes, missing=missing, lacking=lacking),
        missing=missing + sum(lacking.values()),
        lacking=sum(lacking.values()),
    )


@role_required(Role.EVALUATOR)
@require_GET
def submission(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    show = request.GET.get("show", "")
    attempts = with_grade(found.attempts.select_related("revision__problem"))
    if show in VerdictChoice.values:
        attempts = attempts.filter(status=Attempt.Status.GRADED, verdict=show)
    elif show in Attempt.Status.values:
        attempts = attempts.filter(status=show)
    listing = Listing(
        request, attempts, ATTEMPT_COLUMNS, default="id", parameter="order", a_page=A_PAGE
    )
    ranked = publication.find_ranked(found)
    context = {
        **listing.describe(),
        "submission": found,
        "of_solver": found.solver.submissions.filter(benchmark=found.benchmark_id).count(),
        "ranked": ranked,
        "obstacle": publication.find_obstacle(found, ranked=ranked),
        "progress": _progress(found),
        "show": show,
        "filters": [*VerdictChoice.choices, ("FAILED", _("not graded")), ("QUEUED", _("queued"))],
        "missing": _missing(found),
        "corrected": with_grade(found.attempts.all()).filter(is_key_corrected=True).count(),
    }
    template = "grading/submission.html#grading" if request.htmx else "grading/submission.html"
    page = render(request, template, context)
    _record_verdicts(request, found)
    return page


def _record_verdicts(request: MemberRequest, submission: Submission) -> None:
    """
    Write down what a page or a file has told, once it is made: some is graded meanwhile.

    Sums tell what is graded as lists do: over one answer a mean is its verdict.
    """
    told = submission.attempts.telling().values_list("revision", flat=True)
    ledger.write_verdicts(request.user, Reason.GRADE, told)


def _missing(submission: Submission) -> list[str]:
    """Name the problems that were there to be answered and were not."""
    if submission.version is None:
        return _missing_before_versions(submission)
    items = submission.version.items.public().exclude(revision__attempts__submission=submission)
    return list(items.order_by("problem").values_list("identifier", flat=True))


def _missing_before_versions(submission: Submission) -> list[str]:
    problems = (
        submission.benchmark.problems.filter(accepted_at__lte=submission.created_at)
        .exclude(revisions__attempts__submission=submission)
        .order_by("pk")
    )
    return [problem.identifier for problem in problems]


@role_required(Role.EVALUATOR)
@require_GET
def submission_csv(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    header = ["id", "model", "repeat_index", "status", "verdict", "accuracy", "eed", "reason"]
    header.append("key_corrected_since")
    file = csv_response(f"submission-{found.pk}", header, _csv_rows(found))
    _record_verdicts(request, found)
    return file


def _csv_rows(submission: Submission) -> Iterable[list[object]]:
    attempts = with_grade(submission.attempts.select_related("revision__problem"))
    for attempt in attempts.order_by("pk").iterator():
        yield [
            attempt.revision.problem.identifier,
            submission.solver.name,
            attempt.sample - 1,
            attempt.status,
            attempt.verdict,
            attempt.accuracy,
            attempt.eed,
            attempt.reason or attempt.failure_reason,
            "yes" if attempt.is_key_corrected else "no",
        ]
    for identifier in _missing(submission):
        yield [identifier, submission.solver.name, "", "MISSING", "", "", "", "", ""]


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def publish(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    if request.method == "POST":
        try:
            publication.publish(submission=found, by=request.user)
        except publication.CannotPublish as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Published: everybody can see its score."))
        return redirect(found)
    context = {
        "submission": found,
        "progress": _progress(found),
        "obstacle": publication.find_obstacle(found, ranked=publication.find_ranked(found)),
        "described": found.solver.descriptions.exists(),
    }
    page = render(request, "grading/publish.html", context)
    _record_verdicts(request, found)
    return page


@role_required(Role.EVALUATOR)
@require_http_methods(["GET", "POST"])
def withdraw(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    if request.method == "POST":
        publication.withdraw(submission=found, by=request.user)
        messages.success(request, _("Withdrawn: it keeps its number and its grades."))
        return redirect(found)
    return render(request, "grading/withdraw.html", {"submission": found})


@role_required(Role.EVALUATOR)
@require_POST
def try_again(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(permissions.list_submissions(request.user), pk=pk)
    count = actions.try_again(attempts=found.attempts.filter(status=Attempt.Status.FAILED))
    text = ngettext(
        "%(count)d answer is queued again.", "%(count)d answers are queued again.", count
    )
    messages.success(request, text % {"count": count})
    return redirect(found)


@require_GET
def attempt(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(
        permissions.list_attempts(request.user).select_related(
            "solver", "submission", "revision__problem"
        ),
        pk=pk,
    )
    grades = list(found.grades.published().select_related("run"))
    current = next((grade for grade in grades if grade.run.is_adopted), None)
    used = RunKey.objects.in_use().filter(revision=found.revision).select_related("key").first()
    # What was read of the reference, and the edits from the answer to it, give the key away.
    shows_key = of_curation.can_see_key(request.user, found.revision.problem)
    parts = [
        Part.STATEMENT,
        *([Part.VERDICT] if grades or found.tells_verdict else []),
        *([Part.ANSWER] if shows_key or permissions.tells_key(request.user, found, grades) else []),
    ]
    ledger.record(request.user, Reason.GRADE, found.revision, parts=parts)
    context = {
        "attempt": found,
        "problem": found.revision.problem,
        "failure": _("The reference cannot be read.")
        if found.failure_reason == "reference_unreadable" and not shows_key
        else found.failure_message,
        "grade": current,
        "earlier": [grade for grade in grades if grade is not current],
        "arithmetic": _arithmetic(current) if current else "",
        "notes": [
            note
            for note in (map(Sentence.read, current.notes) if current else ())
            if shows_key or note.code != "of_reference"
        ],
        "shows_key": shows_key,
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
