"""The back office of grading: to find and read every row. What failed can be queued again."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.problems.exposures.back_office import RecordingAdmin, Seen, parts, recorded
from curation.problems.exposures.ledger import ALL, Part
from grading.answers import actions
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.models import Attempt, Grade, with_grade
from grading.answers.runs.models import GradingRun, Override, RunKey, Ungraded
from grading.answers.submissions.models import Submission
from grading.answers.tallies.models import SubmissionTally
from grading.answers.unordered.models import UnorderedPart, UnorderedScore
from grading.board.analyses.models import Analysis
from grading.board.items.models import ItemAssessment
from grading.board.panels.models import Panel, PanelMember
from grading.board.reported.models import ReportedScore
from grading.board.scaling.models import AnswerSorting
from grading.disputes.contests.models import Contest
from grading.disputes.keys.models import KeyCheck, KeyDecision
from grading.disputes.regrades.models import RegradedSolve, RegradePart
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeFile, JudgeItem, JudgeRun, RunJudge
from grading.judging.prompts.models import JudgeConfiguration, JudgePrompt
from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.runs.models import CallUnderWay, Endpoint, ModelCall, Reservation, Run, Spending
from grading.samples.audits.models import (
    AuditAdjudication,
    AuditItem,
    AuditLabel,
    AuditLabeller,
    AuditSample,
    AuditStratum,
)
from grading.samples.first_errors.models import (
    FirstErrorAdjudication,
    FirstErrorDomain,
    FirstErrorItem,
    FirstErrorLabel,
    FirstErrorLabeller,
    FirstErrorSample,
    FirstErrorSolver,
)
from grading.samples.labels.models import LabelFile, Ruling
from grading.solvers.models import Description, Membership, Organisation, Solver
from grading.studies.debriefings.models import Debriefing
from grading.studies.letters.models import Letter, LettersOff
from grading.studies.models import (
    Deviation,
    HumanBaseline,
    Invitation,
    Participation,
    Preregistration,
    Study,
    StudyItem,
)
from grading.studies.repairs.models import Repair
from grading.studies.sessions.models import Exclusion, Extension, Save, Session, SessionItem, Trace
from grading.submissions.drafts.models import (
    Draft,
    DraftAnswer,
    DraftFile,
    DraftSubmission,
    FilePiece,
)
from grading.submissions.notices.models import Notice
from phybench.pages.api.models import KeptReply
from phybench.pages.back_office import ReadOnlyAdmin, count_column, empty, inline, read_only


@admin.register(Attempt)
class AttemptAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "__str__", "status", "tries", "failure_reason", "verdict", "eed", "submission_link",
        "created_at",
    ]  # fmt: skip
    list_filter = [
        "status", "failure_reason", "solver__kind", empty("submission"),
        "revision__problem__benchmark",
    ]  # fmt: skip
    list_select_related = ["solver", "revision__problem", "submission"]
    search_fields = ["solver__name", "revision__problem__title", "revision__problem__published_id"]
    search_help_text = _("Solver, title of the problem, its published id")
    date_hierarchy = "created_at"
    # What failed most recently is what one comes to see; the count of all rows costs a scan.
    ordering = ["-pk"]
    show_full_result_count = False
    # What judges said of it, oldest first.
    inlines = [
        inline(
            Grade, "judge", "judge_version", "verdict", "eed", "reason", "seconds", "created_at",
            show_change_link=True,
        )
    ]  # fmt: skip
    actions = ["queue_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_grade(Attempt.objects.all()).order_by("-pk")

    def list_shown(self, rows: Sequence[Attempt], in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows if row.tells_verdict)

    @admin.display(description=_("verdict"), ordering="verdict")
    def verdict(self, attempt: Any) -> object:
        return attempt.verdict

    @admin.display(description=_("EED"), ordering="eed")
    def eed(self, attempt: Any) -> float | None:
        return None if attempt.eed is None else round(attempt.eed, 1)

    @admin.display(description=_("submission"))
    def submission_link(self, attempt: Attempt) -> str:
        if attempt.submission_id is None:
            return "–"
        address = reverse("admin:grading_submission_change", args=[attempt.submission_id])
        return format_html('<a href="{}">{}</a>', address, attempt.submission_id)

    @admin.action(description=_("Queue failed answers again"))
    def queue_again(self, request: HttpRequest, attempts: QuerySet[Attempt]) -> None:
        chosen = len(attempts)
        queued = actions.try_again(attempts=attempts)
        if queued:
            text = ngettext("%d attempt is queued again.", "%d attempts are queued again.", queued)
            messages.success(request, text % queued)
        if queued < chosen:
            text = ngettext(
                "%d attempt was not changed: only failed ones can be queued again.",
                "%d attempts were not changed: only failed ones can be queued again.",
                chosen - queued,
            )
            messages.warning(request, text % (chosen - queued))


HELD_BY_TRIALS = (Part.STATEMENT, Part.ANSWER)
"""A trial holds the text as it was sent, and the reference as it was then."""


def list_tried(trials: Iterable[Trial], *parts: Part) -> Seen:
    for trial in trials:
        yield from ((row.pk, part) for row in trial_actions.list_submitted(trial) for part in parts)


def list_judged(rows: Iterable[Judgement | JudgeCall], *parts: Part) -> Seen:
    for row in rows:
        for attempt in (row.item.attempt, row.item.other):
            if attempt is not None:
                yield from ((attempt.revision_id, part) for part in parts)


def list_sent(calls: Sequence[ModelCall], in_full: bool) -> Seen:
    """Return what was sent: the statement of a trial; to a judge also the key."""
    if not in_full:
        return
    made_for = {(call.run_id, call.item) for call in calls}
    runs, items = {run for run, _item in made_for}, {item for _run, item in made_for}
    yield from list_tried(Trial.objects.filter(pk__in=runs), *HELD_BY_TRIALS)
    for answer in ModelRunAnswer.objects.filter(run__in=runs, pk__in=items):
        if (answer.run_id, answer.pk) in made_for:
            yield answer.item.revision_id, Part.STATEMENT
    judged = JudgeCall.objects.filter(item__run__in=runs, pk__in=items)
    for call in judged.select_related("item__attempt"):
        attempt = call.item.attempt
        if attempt is not None and (call.item.run_id, call.pk) in made_for:
            yield from ((attempt.revision_id, part) for part in (*ALL, Part.VERDICT))


@admin.display(description=_("attempt"))
def attempt_link(grade: Grade) -> str:
    address = reverse("admin:grading_attempt_change", args=[grade.attempt_id])
    return format_html('<a href="{}">{}</a>', address, grade.attempt)


@admin.display(description=_("attempt"))
def scored_attempt(score: UnorderedScore) -> str:
    return str(score.grade.attempt)


@admin.display(description=_("waiting"), ordering="waiting_count")
def waiting(submission: Any) -> object:
    return submission.waiting_count


def find_page(solver: Solver) -> str | None:
    """Lead to the page of a model; a person has none."""
    return solver.get_absolute_url() if solver.kind == Solver.Kind.MODEL else None


SOLVER_COUNTS = [
    count_column(_("submissions"), "submission_count", Submission, "solver"),
    count_column(_("attempts"), "attempt_count", Attempt, "solver"),
]
STATUS = Attempt.Status
SUBMISSION_COUNTS = [
    count_column(_("attempts"), "attempt_count", Attempt, "submission"),
    waiting,
    count_column(
        _("not graded"), "failed_count", Attempt, "submission", status__exact=STATUS.FAILED
    ),
]
OF_AN_ITEM = ["item__sample__version__benchmark", "person"]
# What people said is shown once that can lead nobody who is still to label.
COMPLETE = Q(item__sample__completed_at__isnull=False)


# fmt: off
read_only(Solver, "name", "kind", "organisation", "user", "is_demo", *SOLVER_COUNTS,
    filters=["kind", "is_demo"], related=["organisation", "user"],
    search=["name", "organisation__name", "user__display_name", "user__email"],
    readonly_fields=SOLVER_COUNTS,
    annotations={"submission_count": Count("submissions", distinct=True),
        "attempt_count": Count("attempts", distinct=True)}, view_on_site=staticmethod(find_page),
    inlines=[inline(Description, "number", *Description.SAID, "described_by", "described_at",
        related=["described_by"])])
read_only(Submission, "__str__", "uploaded_by", "file_name", "expected", *SUBMISSION_COUNTS,
    "published_at", "withdrawn_at", "cancelled_at",
    filters=["benchmark", empty("published_at"), empty("withdrawn_at"), empty("cancelled_at"),
        "solver__is_demo"], related=["solver", "benchmark", "uploaded_by"],
    search=["solver__name", "file_name", "file_sha256", "uploaded_by__email"], by_date="created_at",
    search_help_text=_("Model, file name, the file’s SHA-256, e-mail address of the uploader"),
    readonly_fields=SUBMISSION_COUNTS,
    annotations={"attempt_count": Count("attempts"), "waiting_count": Count("attempts",
        filter=Q(attempts__status__in=[STATUS.QUEUED, STATUS.GRADING])),
        "failed_count": Count("attempts", filter=Q(attempts__status=STATUS.FAILED))})
# Of a grade's own page also the reference as it was read, and the edits to it.
recorded(Grade, "pk", attempt_link, "judge", "judge_version", "verdict", "eed", "reason", "seconds",
    "created_at", filters=["verdict", "reason", "judge", "judge_version", "sympy_version"],
    related=["attempt__solver", "attempt__revision__problem"],
    search=["attempt__solver__name", "attempt__revision__problem__title",
        "attempt__revision__problem__published_id"], by_date="created_at", ordering=["-pk"],
    counts=False, shows=parts("attempt.revision_id", Part.VERDICT, in_full=[Part.ANSWER]))
# Only what is wrong has a row.
recorded(UnorderedScore, "pk", scored_attempt, "score", "distance", "reason", "version",
    "created_at", filters=[empty("score"), "reason", "version"],
    related=["grade__attempt__solver", "grade__attempt__revision__problem"],
    search=["grade__attempt__solver__name", "grade__attempt__revision__problem__title",
        "grade__attempt__revision__problem__published_id"], ordering=["-pk"], counts=False,
    shows=parts("grade.attempt.revision_id", Part.VERDICT))
read_only(Analysis, "kind", "benchmark", "version", "run", "query", "asked_at", "done_at",
    "failure", filters=["kind", "benchmark"],
    related=["benchmark", "version__benchmark", "run__benchmark"],
    search=["kind", "benchmark__name"], ordering=["-pk"])
read_only(KeptReply, "pk", "person", "path", "status", "made_at", related=["person"],
    search=["key", "path", "person__display_name"], by_date="made_at", exclude=["reply"])
read_only(AuditSample, "pk", "version", "grader_version", "size", "drawn_by", "drawn_at",
    "completed_at", "ended_at", filters=["grader_version", empty("completed_at")],
    related=["version__benchmark", "drawn_by"],
    search=["version__benchmark__name", "why", "why_ended"], by_date="drawn_at")
read_only(AuditStratum, "sample", "kind", "population", filters=["kind"],
    related=["sample__version__benchmark"], search=["sample__version__benchmark__name"])
# To be found here; it is set up on its own pages, which know what to do with a key.
read_only(Endpoint, "name", "base_url", "is_active", "open_for", "key_fingerprint", "probed_at",
    filters=["is_active", "open_for"], search=["name", "base_url", "key_fingerprint"],
    exclude=["key_encrypted"])
recorded(ModelCall, "pk", "endpoint", "model", "status", "reason", "tokens", "money", "made_at",
    filters=["endpoint", "reason", "is_estimated"], related=["endpoint"],
    search=["model", "model_reported"], by_date="made_at", ordering=["-pk"], counts=False,
    shows=list_sent)
read_only(CallUnderWay, "pk", "endpoint", "model", "tokens", "money", "until", related=["endpoint"],
    search=["model"])
read_only(Reservation, "pk", "endpoint", "run_id", "calls", "tokens", "money", filters=["endpoint"],
    related=["endpoint"], search=["endpoint__name"])
read_only(Spending, "day", "endpoint", "model", "calls", "estimated", "tokens", "money",
    filters=["endpoint", "model"], related=["endpoint"], search=["model"], by_date="day")
# Of a contest’s own page also the key: why it was ruled to be wrong may well cite it.
recorded(Contest, "pk", "attempt", "reason", "organisation", "contested_by", "contested_at",
    "fault", "ruled_by", "ruled_at", filters=["reason", "fault", empty("ruled_at")],
    related=["attempt__solver", "attempt__revision__problem", "organisation", "contested_by",
        "ruled_by"],
    search=["attempt__revision__problem__title", "attempt__revision__problem__published_id", "text",
        "contested_by__display_name", "ruled_by__display_name"], by_date="contested_at",
    shows=parts("attempt.revision_id", Part.VERDICT, in_full=[Part.ANSWER]))
# An answer that is right is as good as the key.
recorded(Override, "pk", "revision", "kind", "ruled_by", "ruled_at", filters=["kind"],
    related=["revision__problem", "ruled_by"],
    search=["revision__problem__title", "revision__problem__published_id", "response", "why",
        "ruled_by__display_name"], by_date="ruled_at", readonly_fields=["contest"],
    shows=parts("revision_id", Part.VERDICT, in_full=[Part.ANSWER]))
read_only(Debriefing, "item", "clarity", "rigour", "key_opinion", "cause", "at",
    filters=["key_opinion", "cause"], related=["item__session__participation__study"],
    ordering=["-pk"])
read_only(Draft, "pk", "organisation", "version", "made_by", "made_at", "graded_at",
    filters=["organisation", empty("graded_at")],
    related=["organisation", "version__benchmark", "made_by"], search=["organisation__name"],
    by_date="made_at")
read_only(DraftSubmission, "pk", "submission", "draft",
    related=["submission__solver", "submission__benchmark", "draft__organisation"],
    search=["submission__solver__name"])
read_only(DraftFile, "name", "draft", "format", "size", "rows", "read_at", "broken_off",
    filters=["format", empty("read_at")], related=["draft__organisation"],
    search=["name", "sha256", "draft__organisation__name"], by_date="added_at")
read_only(FilePiece, "pk", "file", "number", related=["file"], search=["file__name"],
    exclude=["content"])
read_only(DraftAnswer, "pk", "file", "row", "model", "identifier", "sample", "is_boxed",
    filters=["is_boxed"], related=["file"], search=["model", "identifier", "file__name"])
read_only(FirstErrorSample, "pk", "version", "size", "drawn_by", "drawn_at", "completed_at",
    "ended_at", filters=[empty("completed_at")], related=["version__benchmark", "drawn_by"],
    search=["version__benchmark__name", "why", "why_ended"], by_date="drawn_at")
read_only(FirstErrorSolver, "sample", "place", "submission", "accuracy", "problems", "wrong",
    related=["sample__version__benchmark", "submission__solver", "submission__benchmark"],
    search=["submission__solver__name"])
read_only(FirstErrorDomain, "sample", "domain", "problems", "eligible", "asked", "drawn",
    filters=["domain"], related=["sample__version__benchmark"])
read_only(HiddenBatch, "submission", "organisation", "asked_by", "asked_at", "is_better", "figure",
    filters=["organisation", empty("asked_at")],
    related=["submission__solver", "submission__benchmark", "organisation", "asked_by"],
    search=["organisation__name", "submission__solver__name"], by_date="asked_at")
# Not even an admin is shown which are right: what is not shown can't be passed on.
read_only(HiddenAnswer, "pk", "batch", "revision", "sample", "status", "failure_reason",
    filters=["status", "failure_reason"],
    related=["batch__submission__solver", "batch__submission__benchmark", "revision__problem"],
    search=["batch__submission__solver__name"], exclude=["response", "accuracy"])
read_only(ItemAssessment, "revision", "part", "soundness", "reason", "by", "at",
    filters=["part", "soundness"], related=["revision__problem", "by"],
    search=["revision__problem__title", "revision__problem__published_id", "reason"], by_date="at")
read_only(JudgePrompt, "name", "version", "kind", "language", "sha256", "brought_by", "released_by",
    filters=["kind", "language", "is_built_in"], related=["brought_by", "released_by"],
    search=["name", "sha256"])
read_only(JudgeConfiguration, "name", "kind", "sha256", "made_by", "created_at", filters=["kind"],
    related=["made_by"], search=["name", "sha256"], by_date="created_at")
read_only(JudgeRun, "pk", "submission", "file", "other", "configuration", "state", "paused_for",
    "started_by", filters=["state", "paused_for"],
    related=["submission__solver", "submission__benchmark", "file", "other__solver",
        "other__benchmark", "configuration", "started_by"],
    search=["submission__solver__name", "configuration__name", "purpose"], by_date="created_at",
    inlines=[inline(RunJudge, related=["endpoint"])])
read_only(JudgeItem, "pk", "run_id", "attempt_id", "other_id", "canary", "state", "reason", "tries",
    "lost", filters=["state", "reason"], search=["run__submission__solver__name", "canary"],
    counts=False, ordering=["-pk"])
recorded(Judgement, "pk", "item_id", "round", "status", "is_right", "value", "reason", "stage",
    filters=["status", "stage", "reason"], related=["item__attempt", "item__other"],
    search=["configuration__name", "configuration__sha256"], by_date="created_at", ordering=["-pk"],
    counts=False, shows=lambda rows, in_full: list_judged(rows, Part.VERDICT))
# A reply may well cite the key.
recorded(JudgeCall, "pk", "item_id", "judge", "repeat", "attempt", "reason", "read_reason",
    "tokens", filters=["reason", "read_reason", "purpose"],
    related=["item__attempt", "item__other"], search=["judge", "request_sha256"],
    by_date="created_at", ordering=["-pk"], counts=False,
    shows=lambda rows, in_full: list_judged(rows, Part.ANSWER, Part.VERDICT) if in_full else ())
# Its rows stand on its own page.
read_only(LabelFile, "file_name", "brought_by", "origin", "created_at", "taken_at",
    filters=[empty("taken_at")], related=["brought_by"],
    search=["file_name", "sha256", "origin", "brought_by__display_name"], by_date="created_at",
    exclude=["rows"])
read_only(JudgeFile, "file_name", "organisation", "uploaded_by", "sha256", "created_at",
    related=["organisation", "uploaded_by"],
    search=["file_name", "sha256", "uploaded_by__display_name"], by_date="created_at",
    exclude=["content"])
recorded(Ruling, "pk", "attempt_id", "choice", "labeller", "ruled_by", "created_at",
    filters=["choice"], related=["attempt", "ruled_by"],
    search=["ruled_by__display_name", "reason"], by_date="created_at",
    shows=parts("attempt.revision_id", Part.VERDICT))
# The answers beside a key, and the key, stand on the page that writes down who read them.
recorded(KeyCheck, "revision", "doubts", "solvers", "unread", "computed_at", "last_decision",
    filters=[empty("last_decision")],
    related=["revision__problem", "last_decision__key_check__revision__problem"],
    search=["revision__problem__title", "revision__problem__published_id"], exclude=["groups"],
    shows=parts("revision_id", Part.VERDICT))
recorded(KeyDecision, "key_check", "choice", "note", "report", "by", "at", filters=["choice"],
    related=["key_check__revision__problem", "report__revision__problem", "by"],
    search=["key_check__revision__problem__title", "key_check__revision__problem__published_id",
        "note"], by_date="at", shows=parts("key_check.revision_id", Part.VERDICT))
read_only(Letter, "pk", "study", "kind", "person", "tries", "sent_at", "failed_at", "failure",
    filters=["kind", empty("failed_at")], related=["study", "person"],
    search=["study__title", "person__display_name"])
read_only(LettersOff, "study", "person", "at", related=["study", "person"])
read_only(Run, "pk", "state", "paused_for", "started_by", "created_at",
    filters=["state", "paused_for"], related=["started_by"],
    search=["started_by__display_name"], by_date="created_at")
read_only(ModelRun, "pk", "name", "organisation", "version", "endpoint", "state", "started_by",
    filters=["state", "endpoint"],
    related=["organisation", "version__benchmark", "endpoint", "started_by"],
    search=["name", "model", "organisation__name"], by_date="created_at")
read_only(ModelRunAnswer, "pk", "run_id", "item", "sample", "state", "remark", "failure_reason",
    filters=["state", "remark", "failure_reason"], related=["item__version__benchmark"],
    search=["item__identifier", "run__name"], counts=False, ordering=["-pk"])
read_only(Notice, "pk", "draft", "way", "person", "tries", "sent_at", "failed_at", "failure",
    filters=["way", empty("failed_at")], related=["draft__organisation", "person"],
    search=["person__display_name", "address"])
read_only(Panel, "name", "version", "size", "made_by", "made_at", filters=["version__benchmark"],
    related=["version__benchmark", "made_by"], search=["name", "version__benchmark__name"],
    ordering=["-pk"])
read_only(PanelMember, "panel", "submission", filters=["panel__version__benchmark"],
    related=["panel", "submission__solver", "submission__benchmark"],
    search=["panel__name", "submission__solver__name"], ordering=["-pk"])
read_only(RegradePart, "run", "number", "first", "last", "is_of_solves", "tries", "lost", "done_at",
    filters=["run__benchmark", "is_of_solves"], related=["run__benchmark"],
    search=["run__why", "run__benchmark__name"], ordering=["-pk"])
read_only(RegradedSolve, "run", "solve", "outcome", "eed", "grader_version", "created_at",
    filters=["run__benchmark", "outcome"],
    related=["run__benchmark", "solve__reviewer", "solve__round__revision__problem"],
    search=["solve__round__revision__problem__title"], ordering=["-pk"])
read_only(Repair, "item", "state", "verdict", "eed", "by", "at", filters=["state"],
    related=["item__session__participation__study", "by"], ordering=["-pk"])
read_only(ReportedScore, "solver", "benchmark", "item_set", "eed", "accuracy", "citation",
    "reported_on", "added_by", "withdrawn_at", filters=["benchmark", "kind", empty("withdrawn_at")],
    related=["benchmark", "added_by"],
    search=["solver", "item_set", "citation", "note", "why_withdrawn"], by_date="reported_on")
read_only(GradingRun, "pk", "benchmark", "grader_version", "why", "made_by", "created_at",
    "adopted_at", "set_aside_at", "discarded_at", filters=["benchmark", "grader_version"],
    related=["benchmark", "made_by"], search=["why", "benchmark__name"], by_date="created_at")
read_only(RunKey, "run", "revision", "key", "sha256", filters=["run__benchmark"],
    related=["run__benchmark", "revision__problem", "key__problem"],
    search=["revision__problem__title", "revision__problem__published_id", "sha256"],
    ordering=["-pk"])
read_only(Ungraded, "run", "attempt", "reason", "message", filters=["run__benchmark", "reason"],
    related=["run__benchmark", "attempt__solver", "attempt__revision__problem"],
    search=["attempt__solver__name", "attempt__revision__problem__title"], ordering=["-pk"])
read_only(SubmissionTally, "submission", "waiting", "graded", "failed", "cancelled", "graded_at",
    filters=["submission__benchmark"], related=["submission__solver", "submission__benchmark"],
    search=["submission__solver__name"], ordering=["-pk"],
    exclude=["scores"])  # they say how answers were graded, of which a ledger is kept
read_only(AnswerSorting, "submission", "revision", "run", "not_compared", "stopped", "tries",
    "lost", "done_at", filters=["run__benchmark", empty("done_at"), "stopped"],
    related=["run__benchmark", "submission__solver", "submission__benchmark", "revision__problem"],
    search=["submission__solver__name", "revision__problem__title"], ordering=["-pk"])
read_only(Participation, "pseudonym", "study", "consent_version", "consented_at", "withdrawn_at",
    filters=["study", empty("withdrawn_at")], related=["study"],
    search=["pseudonym", "study__title"], ordering=["-pk"], exclude=["person", "answers"])
read_only(Session, "participation", "started_at", "ends_at", "ended_at", "ending", "seen_at",
    filters=["participation__study", "ending"], related=["participation__study"],
    search=["participation__pseudonym"], ordering=["-pk"])
# The answer is on its own page, which writes down who reads it.
read_only(SessionItem, "session", "place", "outcome", "opened_at", "gave_up_at", "seen_before_at",
    filters=["outcome"], related=["session__participation__study"],
    search=["session__participation__pseudonym", "why_gave_up"], ordering=["-pk"],
    exclude=["attempt", "study_item"])
read_only(Save, "item", "number", "kind", "arrived_at", "is_late", filters=["kind", "is_late"],
    related=["item__session__participation__study"],
    search=["item__session__participation__pseudonym"], ordering=["-pk"])
read_only(Trace, "item", "kind", "amount", "at", filters=["kind"],
    related=["item__session__participation__study"],
    search=["item__session__participation__pseudonym"], ordering=["-pk"])
read_only(Extension, "session", "minutes", "why", "by", "at",
    related=["session__participation__study", "by"],
    search=["session__participation__pseudonym", "why"], ordering=["-pk"])
read_only(Exclusion, "participation", "why", "by", "at", related=["participation__study", "by"],
    search=["participation__pseudonym", "why"], ordering=["-pk"])
read_only(Organisation, "name", "made_by", "made_at", "confirmed_at", "merged_into", "is_demo",
    filters=[empty("confirmed_at"), "is_demo"], related=["made_by", "merged_into"],
    search=["name", "memberships__person__display_name", "memberships__person__email"],
    inlines=[inline(Membership, "person", "asked_at", "joined_at", "accepted_by", "left_at",
        fk_name="organisation")])
# Who has it may join.
read_only(Study, "title", "version", "made_by", "opened_at", "ended_at",
    filters=["version__benchmark", empty("opened_at")], related=["version__benchmark", "made_by"],
    search=["title"], ordering=["-pk"], exclude=["link_secret"])
read_only(Invitation, "study", "person", "invited_by", "invited_at", filters=["study"],
    related=["study", "person", "invited_by"], search=["study__title", "person__display_name"],
    ordering=["-pk"])
recorded(StudyItem, "item", "study", filters=["study"],
    related=["study", "item__version__benchmark"], search=["item__identifier", "study__title"],
    ordering=["-pk"], shows=parts("item.revision_id", in_full=[Part.STATEMENT]))
read_only(Preregistration, "study", "frozen_at", "sha256", related=["study"],
    search=["study__title", "sha256"], ordering=["-pk"])
read_only(Deviation, "study", "field", "why", "by", "at", filters=["study"],
    related=["study", "by"], search=["study__title", "why"], ordering=["-pk"])
read_only(HumanBaseline, "version", "study", "named_by", "named_at", "ended_by", "ended_at",
    filters=["version__benchmark"], related=["version__benchmark", "study", "named_by", "ended_by"],
    search=["study__title"], ordering=["-pk"])
recorded(Trial, "pk", "problem", "endpoint", "model", "times", "started_by", "created_at",
    filters=["endpoint", "model"], related=["problem", "endpoint", "started_by"],
    search=["problem__title", "model"], by_date="created_at",
    shows=lambda rows, in_full: list_tried(rows, *HELD_BY_TRIALS) if in_full else ())
recorded(TrialAnswer, "pk", "trial_id", "number", "state", "tries", "failure_reason", "verdict",
    "eed", filters=["state", "failure_reason", "verdict"], related=["trial"],
    search=["trial__problem__title", "trial__model"], ordering=["-pk"], counts=False,
    shows=lambda rows, in_full: list_tried({row.trial for row in rows if row.verdict},
        Part.VERDICT))
read_only(UnorderedPart, "run", "first", "last", "queued_at", "tries", "lost",
    filters=["run__benchmark"], related=["run__benchmark"], search=["run__benchmark__name"],
    ordering=["-pk"])
for item, listed in ((AuditItem, ()), (FirstErrorItem, (Part.VERDICT,))):
    recorded(item, "pk", "sample", "place", "outcome", filters=["outcome"],
        related=["sample__version__benchmark"], search=["sample__version__benchmark__name"],
        fields=["sample", "place", "outcome"], limit_to=Q(sample__completed_at__isnull=False),
        shows=parts("revision_id", *listed))
for label, texts in ((AuditLabel, ["note"]), (FirstErrorLabel, ["passage", "comment"])):
    recorded(label, "pk", "item", "person", "choice", "given_at", "taken_back_at",
        filters=["choice", empty("taken_back_at")], related=OF_AN_ITEM,
        search=["person__display_name", *texts], by_date="given_at", limit_to=COMPLETE,
        shows=parts("item.revision_id", Part.VERDICT))
for adjudication, texts in (
    (AuditAdjudication, ["reason"]), (FirstErrorAdjudication, ["passage", "reason"])
):
    recorded(adjudication, "pk", "item", "person", "choice", "given_at", filters=["choice"],
        related=OF_AN_ITEM, search=["person__display_name", *texts], by_date="given_at",
        limit_to=COMPLETE, shows=parts("item.revision_id", Part.VERDICT))
for labeller in (AuditLabeller, FirstErrorLabeller):
    read_only(labeller, "sample", "person", "asked_by", "asked_at", "taken_off_at",
        filters=[empty("taken_off_at")],
        related=["sample__version__benchmark", "person", "asked_by"],
        search=["person__display_name"], by_date="asked_at")
# fmt: on
