"""The back office of grading: to find and read every row. What failed can be queued again."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.problems.exposures.back_office import RecordingAdmin, Seen
from curation.problems.exposures.ledger import ALL, Part
from grading.answers import actions
from grading.answers.hidden.models import HiddenAnswer, HiddenBatch
from grading.answers.models import Attempt, Grade, with_grade
from grading.answers.runs.models import GradingRun, Override, RunKey, Ungraded
from grading.answers.submissions.models import Submission
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
from grading.runs.models import CallUnderWay, Endpoint, ModelCall, Reservation, Spending
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
from phybench.pages.back_office import ReadOnlyAdmin, ReadOnlyInline, link_to_rows, read_only


class OfCompleteSamples(ReadOnlyAdmin):
    """What people said, once that can lead nobody who is still to label."""

    sample = "item__sample"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        return found.filter(**{f"{self.sample}__completed_at__isnull": False})


# fmt: off
read_only(
    Analysis, "kind", "benchmark", "version", "run", "query", "asked_at", "done_at", "failure",
    filters=["kind", "benchmark"], related=["benchmark", "version__benchmark", "run__benchmark"],
    search=["kind", "benchmark__name"], ordering=["-pk"]
)
# fmt: on


class GradeInline(ReadOnlyInline):
    """What judges said of an attempt, oldest first."""

    model = Grade
    show_change_link = True
    fields = ["judge", "judge_version", "verdict", "eed", "reason", "seconds", "created_at"]
    readonly_fields = ["created_at"]


@admin.register(Attempt)
class AttemptAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "__str__", "status", "tries", "failure_reason", "verdict", "eed", "submission_link",
        "created_at",
    ]  # fmt: skip
    list_filter = [
        "status", "failure_reason", "solver__kind", ("submission", admin.EmptyFieldListFilter),
        "revision__problem__benchmark",
    ]  # fmt: skip
    list_select_related = ["solver", "revision__problem", "submission"]
    search_fields = ["solver__name", "revision__problem__title", "revision__problem__published_id"]
    search_help_text = _("Solver, title of the problem, its published id")
    date_hierarchy = "created_at"
    # What failed most recently is what one comes to see; the count of all rows costs a scan.
    ordering = ["-pk"]
    show_full_result_count = False
    inlines = [GradeInline]
    actions = ["queue_again"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return with_grade(Attempt.objects.all()).order_by("-pk")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # The links of the other lists lead here.
        links = {"solver__id__exact", "submission__id__exact"}
        return lookup in links or super().lookup_allowed(lookup, value, request)

    def list_shown(self, rows: Sequence[Attempt], *, in_full: bool) -> Seen:
        graded = (row for row in rows if row.tells_verdict)
        return ((row.revision_id, Part.VERDICT) for row in graded)

    @admin.display(description=_("verdict"), ordering="verdict")
    def verdict(self, attempt: Any) -> str | None:
        found: str | None = attempt.verdict
        return found

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


@admin.register(Grade)
class GradeAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk", "attempt_link", "judge", "judge_version", "verdict", "eed", "reason", "seconds",
        "created_at",
    ]  # fmt: skip
    list_filter = ["verdict", "reason", "judge", "judge_version", "sympy_version"]
    list_select_related = ["attempt__solver", "attempt__revision__problem"]
    search_fields = [
        "attempt__solver__name", "attempt__revision__problem__title",
        "attempt__revision__problem__published_id",
    ]  # fmt: skip
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[Grade], *, in_full: bool) -> Seen:
        """Of a grade's own page also the reference as it was read, and the edits to it."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.attempt.revision_id, part) for row in rows for part in parts)

    @admin.display(description=_("attempt"))
    def attempt_link(self, grade: Grade) -> str:
        address = reverse("admin:grading_attempt_change", args=[grade.attempt_id])
        return format_html('<a href="{}">{}</a>', address, grade.attempt)


# fmt: off
read_only(
    KeptReply, "pk", "person", "path", "status", "made_at", related=["person"],
    search=["key", "path", "person__display_name"], by_date="made_at", exclude=["reply"]
)
# fmt: on


OF_AN_ITEM = ["item__sample__version__benchmark", "person"]


# fmt: off
read_only(
    AuditSample, "pk", "version", "grader_version", "size", "drawn_by", "drawn_at", "completed_at",
    "ended_at", filters=["grader_version", ("completed_at", admin.EmptyFieldListFilter)],
    related=["version__benchmark", "drawn_by"],
    search=["version__benchmark__name", "why", "why_ended"], by_date="drawn_at"
)
read_only(
    AuditStratum, "sample", "kind", "population", filters=["kind"],
    related=["sample__version__benchmark"], search=["sample__version__benchmark__name"]
)
# fmt: on


@admin.register(AuditItem)
class AuditItemAdmin(OfCompleteSamples):
    sample = "sample"
    list_display = ["pk", "sample", "place", "outcome"]
    list_filter = ["outcome"]
    list_select_related = ["sample__version__benchmark"]
    search_fields = ["sample__version__benchmark__name"]
    fields = ["sample", "place", "outcome"]
    show_facets = admin.ShowFacets.NEVER


@admin.register(AuditLabel)
class AuditLabelAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at", "taken_back_at"]
    list_filter = ["choice", ("taken_back_at", admin.EmptyFieldListFilter)]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "note"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[AuditLabel], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(AuditAdjudication)
class AuditAdjudicationAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at"]
    list_filter = ["choice"]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "reason"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[AuditAdjudication], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


# fmt: off
read_only(
    AuditLabeller, "sample", "person", "asked_by", "asked_at", "taken_off_at",
    filters=[("taken_off_at", admin.EmptyFieldListFilter)],
    related=["sample__version__benchmark", "person", "asked_by"], search=["person__display_name"],
    by_date="asked_at"
)
# fmt: on


@admin.register(Endpoint)
class EndpointAdmin(ReadOnlyAdmin):
    """To be found here; it is set up on its own pages, which know what to do with a key."""

    list_display = ["name", "base_url", "is_active", "open_for", "key_fingerprint", "probed_at"]
    list_filter = ["is_active", "open_for"]
    search_fields = ["name", "base_url", "key_fingerprint"]
    exclude = ["key_encrypted"]


@admin.register(ModelCall)
class ModelCallAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "endpoint", "model", "status", "reason", "tokens", "money", "made_at"]
    list_filter = ["endpoint", "reason", "is_estimated"]

    def list_shown(self, rows: Sequence[ModelCall], *, in_full: bool) -> Seen:
        """Return what was sent: the statement of a trial; to a judge also the key."""
        if not in_full:
            return
        made_for = {(row.run_id, row.item) for row in rows}
        runs, items = {run for run, _item in made_for}, {item for _run, item in made_for}
        yield from seen_in_trials(Trial.objects.filter(pk__in=runs))
        for answer in ModelRunAnswer.objects.filter(run__in=runs, pk__in=items):
            if (answer.run_id, answer.pk) in made_for:
                yield answer.item.revision_id, Part.STATEMENT
        judged = JudgeCall.objects.filter(item__run__in=runs, pk__in=items)
        for call in judged.select_related("item__attempt"):
            attempt = call.item.attempt
            if attempt is not None and (call.item.run_id, call.pk) in made_for:
                yield from ((attempt.revision_id, part) for part in (*ALL, Part.VERDICT))

    list_select_related = ["endpoint"]
    search_fields = ["model", "model_reported"]
    date_hierarchy = "made_at"
    ordering = ["-pk"]
    show_full_result_count = False


# fmt: off
read_only(
    CallUnderWay, "pk", "endpoint", "model", "tokens", "money", "until", related=["endpoint"],
    search=["model"]
)
read_only(
    Reservation, "pk", "endpoint", "run_id", "calls", "tokens", "money",
    filters=["endpoint"], related=["endpoint"], search=["endpoint__name"]
)
read_only(
    Spending, "day", "endpoint", "model", "calls", "estimated", "tokens", "money",
    filters=["endpoint", "model"], related=["endpoint"], search=["model"], by_date="day"
)
# fmt: on


@admin.register(Contest)
class ContestAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk", "attempt", "reason", "organisation", "contested_by", "contested_at", "fault",
        "ruled_by", "ruled_at",
    ]  # fmt: skip
    list_filter = ["reason", "fault", ("ruled_at", admin.EmptyFieldListFilter)]
    list_select_related = [
        "attempt__solver", "attempt__revision__problem", "organisation", "contested_by", "ruled_by",
    ]  # fmt: skip
    search_fields = [
        "attempt__revision__problem__title", "attempt__revision__problem__published_id", "text",
        "contested_by__display_name", "ruled_by__display_name",
    ]  # fmt: skip
    date_hierarchy = "contested_at"

    def list_shown(self, rows: Sequence[Contest], *, in_full: bool) -> Seen:
        """Of a contest’s own page also the key: why it was ruled to be wrong may well cite it."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.attempt.revision_id, part) for row in rows for part in parts)


@admin.register(Override)
class OverrideAdmin(RecordingAdmin, ReadOnlyAdmin):
    readonly_fields = ["contest"]
    list_display = ["pk", "revision", "kind", "ruled_by", "ruled_at"]
    list_filter = ["kind"]
    list_select_related = ["revision__problem", "ruled_by"]
    search_fields = [
        "revision__problem__title", "revision__problem__published_id", "response", "why",
        "ruled_by__display_name",
    ]  # fmt: skip
    date_hierarchy = "ruled_at"

    def list_shown(self, rows: Sequence[Override], *, in_full: bool) -> Seen:
        """An answer that is right is as good as the key."""
        parts = (Part.VERDICT, Part.ANSWER) if in_full else (Part.VERDICT,)
        return ((row.revision_id, part) for row in rows for part in parts)


# fmt: off
read_only(
    Debriefing, "item", "clarity", "rigour", "key_opinion", "cause", "at",
    filters=["key_opinion", "cause"], related=["item__session__participation__study"],
    ordering=["-pk"]
)
read_only(
    Draft, "pk", "organisation", "version", "made_by", "made_at", "graded_at",
    filters=["organisation", ("graded_at", admin.EmptyFieldListFilter)],
    related=["organisation", "version__benchmark", "made_by"], search=["organisation__name"],
    by_date="made_at"
)
read_only(
    DraftSubmission, "pk", "submission", "draft",
    related=["submission__solver", "submission__benchmark", "draft__organisation"],
    search=["submission__solver__name"]
)
read_only(
    DraftFile, "name", "draft", "format", "size", "rows", "read_at", "broken_off",
    filters=["format", ("read_at", admin.EmptyFieldListFilter)], related=["draft__organisation"],
    search=["name", "sha256", "draft__organisation__name"], by_date="added_at"
)
read_only(
    FilePiece, "pk", "file", "number", related=["file"], search=["file__name"], exclude=["content"]
)
read_only(
    DraftAnswer, "pk", "file", "row", "model", "identifier", "sample", "is_boxed",
    filters=["is_boxed"], related=["file"], search=["model", "identifier", "file__name"]
)
read_only(
    FirstErrorSample, "pk", "version", "size", "drawn_by", "drawn_at", "completed_at", "ended_at",
    filters=[("completed_at", admin.EmptyFieldListFilter)],
    related=["version__benchmark", "drawn_by"],
    search=["version__benchmark__name", "why", "why_ended"], by_date="drawn_at"
)
read_only(
    FirstErrorSolver, "sample", "place", "submission", "accuracy", "problems", "wrong",
    related=["sample__version__benchmark", "submission__solver", "submission__benchmark"],
    search=["submission__solver__name"]
)
read_only(
    FirstErrorDomain, "sample", "domain", "problems", "eligible", "asked", "drawn",
    filters=["domain"], related=["sample__version__benchmark"]
)
# fmt: on


@admin.register(FirstErrorItem)
class FirstErrorItemAdmin(RecordingAdmin, OfCompleteSamples):
    sample = "sample"
    list_display = ["pk", "sample", "place", "outcome"]
    list_filter = ["outcome"]
    list_select_related = ["sample__version__benchmark"]
    search_fields = ["sample__version__benchmark__name"]
    fields = ["sample", "place", "outcome"]

    def list_shown(self, rows: Sequence[FirstErrorItem], *, in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows)


@admin.register(FirstErrorLabel)
class FirstErrorLabelAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at", "taken_back_at"]
    list_filter = ["choice", ("taken_back_at", admin.EmptyFieldListFilter)]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "passage", "comment"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[FirstErrorLabel], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


@admin.register(FirstErrorAdjudication)
class FirstErrorAdjudicationAdmin(RecordingAdmin, OfCompleteSamples):
    list_display = ["pk", "item", "person", "choice", "given_at"]
    list_filter = ["choice"]
    list_select_related = OF_AN_ITEM
    search_fields = ["person__display_name", "passage", "reason"]
    date_hierarchy = "given_at"

    def list_shown(self, rows: Sequence[FirstErrorAdjudication], *, in_full: bool) -> Seen:
        return ((row.item.revision_id, Part.VERDICT) for row in rows)


# fmt: off
read_only(
    FirstErrorLabeller, "sample", "person", "asked_by", "asked_at", "taken_off_at",
    filters=[("taken_off_at", admin.EmptyFieldListFilter)],
    related=["sample__version__benchmark", "person", "asked_by"], search=["person__display_name"],
    by_date="asked_at"
)
read_only(
    HiddenBatch, "submission", "organisation", "asked_by", "asked_at", "is_better", "figure",
    filters=["organisation", ("asked_at", admin.EmptyFieldListFilter)],
    related=["submission__solver", "submission__benchmark", "organisation", "asked_by"],
    search=["organisation__name", "submission__solver__name"], by_date="asked_at"
)
# fmt: on


@admin.register(HiddenAnswer)
class HiddenAnswerAdmin(ReadOnlyAdmin):
    """Not even an admin is shown which are right: what is not shown can't be passed on."""

    list_display = ["pk", "batch", "revision", "sample", "status", "failure_reason"]
    list_filter = ["status", "failure_reason"]
    list_select_related = [
        "batch__submission__solver", "batch__submission__benchmark", "revision__problem",
    ]  # fmt: skip
    search_fields = ["batch__submission__solver__name"]
    exclude = ["response", "accuracy"]


# fmt: off
read_only(
    ItemAssessment, "revision", "part", "soundness", "reason", "by", "at",
    filters=["part", "soundness"], related=["revision__problem", "by"],
    search=["revision__problem__title", "revision__problem__published_id", "reason"], by_date="at"
)
# fmt: on


def _tell(items: Iterable[JudgeItem], *parts: Part) -> Seen:
    """Say of which revisions something is told, of what judges say of these items."""
    for item in items:
        for attempt in (item.attempt, item.other):
            if attempt is not None:
                yield from ((attempt.revision_id, part) for part in parts or (Part.VERDICT,))


# fmt: off
read_only(
    JudgePrompt, "name", "version", "kind", "language", "sha256", "brought_by", "released_by",
    filters=["kind", "language", "is_built_in"], related=["brought_by", "released_by"],
    search=["name", "sha256"]
)
read_only(
    JudgeConfiguration, "name", "kind", "sha256", "made_by", "created_at", filters=["kind"],
    related=["made_by"], search=["name", "sha256"], by_date="created_at"
)
# fmt: on


class RunJudgeInline(ReadOnlyInline):
    model = RunJudge
    list_select_related = ["endpoint"]


# fmt: off
read_only(
    JudgeRun, "pk", "submission", "file", "other", "configuration", "state", "paused_for",
    "started_by", filters=["state", "paused_for"],
    related=[
        "submission__solver", "submission__benchmark", "file", "other__solver", "other__benchmark",
        "configuration", "started_by"
    ],
    search=["submission__solver__name", "configuration__name", "purpose"], by_date="created_at",
    inlines=[RunJudgeInline]
)
read_only(
    JudgeItem, "pk", "run_id", "attempt_id", "other_id", "canary", "state", "reason", "tries",
    "lost", filters=["state", "reason"], search=["run__submission__solver__name", "canary"],
    counts=False, ordering=["-pk"]
)
# fmt: on


@admin.register(Judgement)
class JudgementAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "item_id", "round", "status", "is_right", "value", "reason", "stage"]
    list_filter = ["status", "stage", "reason"]
    list_select_related = ["item__attempt", "item__other"]
    search_fields = ["configuration__name", "configuration__sha256"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[Judgement], *, in_full: bool) -> Seen:
        return _tell(row.item for row in rows)


@admin.register(JudgeCall)
class JudgeCallAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk",
        "item_id",
        "judge",
        "repeat",
        "attempt",
        "reason",
        "read_reason",
        "tokens",
    ]
    list_filter = ["reason", "read_reason", "purpose"]
    list_select_related = ["item__attempt", "item__other"]
    search_fields = ["judge", "request_sha256"]
    date_hierarchy = "created_at"
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[JudgeCall], *, in_full: bool) -> Seen:
        """Return what a reply tells, which may well cite the key."""
        return _tell((row.item for row in rows), Part.ANSWER, Part.VERDICT) if in_full else ()


@admin.register(LabelFile)
class LabelFileAdmin(ReadOnlyAdmin):
    """Its rows stand on its own page."""

    list_display = ["file_name", "brought_by", "origin", "created_at", "taken_at"]
    list_filter = [("taken_at", admin.EmptyFieldListFilter)]
    list_select_related = ["brought_by"]
    search_fields = ["file_name", "sha256", "origin", "brought_by__display_name"]
    date_hierarchy = "created_at"
    exclude = ["rows"]


# fmt: off
read_only(
    JudgeFile, "file_name", "organisation", "uploaded_by", "sha256", "created_at",
    related=["organisation", "uploaded_by"],
    search=["file_name", "sha256", "uploaded_by__display_name"], by_date="created_at",
    exclude=["content"]
)
# fmt: on


@admin.register(Ruling)
class RulingAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "attempt_id", "choice", "labeller", "ruled_by", "created_at"]
    list_filter = ["choice"]
    list_select_related = ["attempt", "ruled_by"]
    search_fields = ["ruled_by__display_name", "reason"]
    date_hierarchy = "created_at"

    def list_shown(self, rows: Sequence[Ruling], *, in_full: bool) -> Seen:
        return ((row.attempt.revision_id, Part.VERDICT) for row in rows)


@admin.register(KeyCheck)
class KeyCheckAdmin(RecordingAdmin, ReadOnlyAdmin):
    """The answers beside a key, and the key, stand on the page that writes down who read them."""

    list_display = ["revision", "doubts", "solvers", "unread", "computed_at", "last_decision"]
    list_filter = [("last_decision", admin.EmptyFieldListFilter)]
    list_select_related = ["revision__problem", "last_decision__key_check__revision__problem"]
    search_fields = ["revision__problem__title", "revision__problem__published_id"]
    exclude = ["groups"]

    def list_shown(self, rows: Sequence[KeyCheck], *, in_full: bool) -> Seen:
        return ((row.revision_id, Part.VERDICT) for row in rows)


@admin.register(KeyDecision)
class KeyDecisionAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["key_check", "choice", "note", "report", "by", "at"]
    list_filter = ["choice"]
    list_select_related = ["key_check__revision__problem", "report__revision__problem", "by"]
    search_fields = [
        "key_check__revision__problem__title",
        "key_check__revision__problem__published_id",
        "note",
    ]
    date_hierarchy = "at"

    def list_shown(self, rows: Sequence[KeyDecision], *, in_full: bool) -> Seen:
        return ((row.key_check.revision_id, Part.VERDICT) for row in rows)


# fmt: off
read_only(
    Letter, "pk", "study", "kind", "person", "tries", "sent_at", "failed_at", "failure",
    filters=["kind", ("failed_at", admin.EmptyFieldListFilter)], related=["study", "person"],
    search=["study__title", "person__display_name"]
)
read_only(LettersOff, "study", "person", "at", related=["study", "person"])
read_only(
    ModelRun, "pk", "name", "organisation", "version", "endpoint", "state", "started_by",
    filters=["state", "endpoint"],
    related=["organisation", "version__benchmark", "endpoint", "started_by"],
    search=["name", "model", "organisation__name"], by_date="created_at"
)
read_only(
    ModelRunAnswer, "pk", "run_id", "item", "sample", "state", "remark", "failure_reason",
    filters=["state", "remark", "failure_reason"], related=["item__version__benchmark"],
    search=["item__identifier", "run__name"], counts=False, ordering=["-pk"]
)
read_only(
    Notice, "pk", "draft", "way", "person", "tries", "sent_at", "failed_at", "failure",
    filters=["way", ("failed_at", admin.EmptyFieldListFilter)],
    related=["draft__organisation", "person"], search=["person__display_name", "address"]
)
read_only(
    Panel, "name", "version", "size", "made_by", "made_at", filters=["version__benchmark"],
    related=["version__benchmark", "made_by"], search=["name", "version__benchmark__name"],
    ordering=["-pk"]
)
read_only(
    PanelMember, "panel", "submission", filters=["panel__version__benchmark"],
    related=["panel", "submission__solver", "submission__benchmark"],
    search=["panel__name", "submission__solver__name"], ordering=["-pk"]
)
read_only(
    RegradePart, "run", "number", "first", "last", "is_of_solves", "tries", "lost", "done_at",
    filters=["run__benchmark", "is_of_solves"], related=["run__benchmark"],
    search=["run__why", "run__benchmark__name"], ordering=["-pk"]
)
read_only(
    RegradedSolve, "run", "solve", "outcome", "eed", "grader_version", "created_at",
    filters=["run__benchmark", "outcome"],
    related=["run__benchmark", "solve__reviewer", "solve__round__revision__problem"],
    search=["solve__round__revision__problem__title"], ordering=["-pk"]
)
read_only(
    Repair, "item", "state", "verdict", "eed", "by", "at", filters=["state"],
    related=["item__session__participation__study", "by"], ordering=["-pk"]
)
read_only(
    ReportedScore, "solver", "benchmark", "item_set", "eed", "accuracy", "citation", "reported_on",
    "added_by", "withdrawn_at",
    filters=["benchmark", "kind", ("withdrawn_at", admin.EmptyFieldListFilter)],
    related=["benchmark", "added_by"],
    search=["solver", "item_set", "citation", "note", "why_withdrawn"], by_date="reported_on"
)
read_only(
    GradingRun, "pk", "benchmark", "grader_version", "why", "made_by", "created_at", "adopted_at",
    "set_aside_at", "discarded_at", filters=["benchmark", "grader_version"],
    related=["benchmark", "made_by"], search=["why", "benchmark__name"], by_date="created_at"
)
read_only(
    RunKey, "run", "revision", "key", "sha256", filters=["run__benchmark"],
    related=["run__benchmark", "revision__problem", "key__problem"],
    search=["revision__problem__title", "revision__problem__published_id", "sha256"],
    ordering=["-pk"]
)
read_only(
    Ungraded, "run", "attempt", "reason", "message", filters=["run__benchmark", "reason"],
    related=["run__benchmark", "attempt__solver", "attempt__revision__problem"],
    search=["attempt__solver__name", "attempt__revision__problem__title"], ordering=["-pk"]
)
read_only(
    AnswerSorting, "submission", "revision", "run", "not_compared", "stopped", "tries", "lost",
    "done_at", filters=["run__benchmark", ("done_at", admin.EmptyFieldListFilter), "stopped"],
    related=["run__benchmark", "submission__solver", "submission__benchmark", "revision__problem"],
    search=["submission__solver__name", "revision__problem__title"], ordering=["-pk"]
)
read_only(
    Participation, "pseudonym", "study", "consent_version", "consented_at", "withdrawn_at",
    filters=["study", ("withdrawn_at", admin.EmptyFieldListFilter)], related=["study"],
    search=["pseudonym", "study__title"], ordering=["-pk"], exclude=["person", "answers"]
)
read_only(
    Session, "participation", "started_at", "ends_at", "ended_at", "ending", "seen_at",
    filters=["participation__study", "ending"], related=["participation__study"],
    search=["participation__pseudonym"], ordering=["-pk"]
)
# The answer is on its own page, which writes down who reads it.
read_only(
    SessionItem, "session", "place", "outcome", "opened_at", "gave_up_at", "seen_before_at",
    filters=["outcome"], related=["session__participation__study"],
    search=["session__participation__pseudonym", "why_gave_up"], ordering=["-pk"],
    exclude=["attempt", "study_item"]
)
read_only(
    Save, "item", "number", "kind", "arrived_at", "is_late", filters=["kind", "is_late"],
    related=["item__session__participation__study"],
    search=["item__session__participation__pseudonym"], ordering=["-pk"]
)
read_only(
    Trace, "item", "kind", "amount", "at", filters=["kind"],
    related=["item__session__participation__study"],
    search=["item__session__participation__pseudonym"], ordering=["-pk"]
)
read_only(
    Extension, "session", "minutes", "why", "by", "at",
    related=["session__participation__study", "by"],
    search=["session__participation__pseudonym", "why"], ordering=["-pk"]
)
read_only(
    Exclusion, "participation", "why", "by", "at", related=["participation__study", "by"],
    search=["participation__pseudonym", "why"], ordering=["-pk"]
)
# fmt: on


class MembershipInline(ReadOnlyInline):
    """Who was ever of an organisation, and who asked."""

    model = Membership
    fk_name = "organisation"
    fields = ["person", "asked_at", "joined_at", "accepted_by", "left_at"]
    readonly_fields = ["asked_at"]


# fmt: off
read_only(
    Organisation, "name", "made_by", "made_at", "confirmed_at", "merged_into", "is_demo",
    filters=[("confirmed_at", admin.EmptyFieldListFilter), "is_demo"],
    related=["made_by", "merged_into"],
    search=["name", "memberships__person__display_name", "memberships__person__email"],
    inlines=[MembershipInline]
)
# fmt: on


class DescriptionInline(ReadOnlyInline):
    """What was said of a model, newest first."""

    model = Description
    fields = ["number", *Description.SAID, "described_by", "described_at"]
    readonly_fields = ["described_at"]
    list_select_related = ["described_by"]


@admin.register(Solver)
class SolverAdmin(ReadOnlyAdmin):
    list_display = [
        "name", "kind", "organisation", "user", "is_demo", "submission_links", "attempt_links",
    ]  # fmt: skip
    list_filter = ["kind", "is_demo"]
    list_select_related = ["organisation", "user"]
    search_fields = ["name", "organisation__name", "user__display_name", "user__email"]
    readonly_fields = ["submission_links", "attempt_links"]
    inlines = [DescriptionInline]

    def view_on_site(self, solver: Solver) -> str | None:
        """Lead to the page of a model; a person has none."""
        return solver.get_absolute_url() if solver.kind == Solver.Kind.MODEL else None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        counted: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                submission_count=Count("submissions", distinct=True),
                attempt_count=Count("attempts", distinct=True),
            )
        )
        return counted

    @admin.display(description=_("submissions"), ordering="submission_count")
    def submission_links(self, solver: Any) -> str:
        return link_to_rows(Submission, solver.submission_count, solver__id__exact=solver.pk)

    @admin.display(description=_("attempts"), ordering="attempt_count")
    def attempt_links(self, solver: Any) -> str:
        return link_to_rows(Attempt, solver.attempt_count, solver__id__exact=solver.pk)


# fmt: off
# Who has it may join.
read_only(
    Study, "title", "version", "made_by", "opened_at", "ended_at",
    filters=["version__benchmark", ("opened_at", admin.EmptyFieldListFilter)],
    related=["version__benchmark", "made_by"], search=["title"], ordering=["-pk"],
    exclude=["link_secret"]
)
read_only(
    Invitation, "study", "person", "invited_by", "invited_at", filters=["study"],
    related=["study", "person", "invited_by"], search=["study__title", "person__display_name"],
    ordering=["-pk"]
)
# fmt: on


@admin.register(StudyItem)
class StudyItemAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["item", "study"]
    list_filter = ["study"]
    list_select_related = ["study", "item__version__benchmark"]
    search_fields = ["item__identifier", "study__title"]
    ordering = ["-pk"]

    def list_shown(self, rows: Sequence[StudyItem], *, in_full: bool) -> Seen:
        if not in_full:
            return ()
        return ((row.item.revision_id, Part.STATEMENT) for row in rows)


# fmt: off
read_only(
    Preregistration, "study", "frozen_at", "sha256", related=["study"],
    search=["study__title", "sha256"], ordering=["-pk"]
)
read_only(
    Deviation, "study", "field", "why", "by", "at", filters=["study"], related=["study", "by"],
    search=["study__title", "why"], ordering=["-pk"]
)
read_only(
    HumanBaseline, "version", "study", "named_by", "named_at", "ended_by", "ended_at",
    filters=["version__benchmark"], related=["version__benchmark", "study", "named_by", "ended_by"],
    search=["study__title"], ordering=["-pk"]
)
# fmt: on


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "uploaded_by", "file_name", "expected", "attempt_links", "waiting", "failed",
        "published_at", "withdrawn_at", "cancelled_at",
    ]  # fmt: skip
    list_filter = [
        "benchmark",
        ("published_at", admin.EmptyFieldListFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
        ("cancelled_at", admin.EmptyFieldListFilter),
        "solver__is_demo",
    ]
    list_select_related = ["solver", "benchmark", "uploaded_by"]
    search_fields = ["solver__name", "file_name", "file_sha256", "uploaded_by__email"]
    search_help_text = _("Model, file name, the file’s SHA-256, e-mail address of the uploader")
    date_hierarchy = "created_at"
    readonly_fields = ["attempt_links", "waiting", "failed"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        unfinished = Q(attempts__status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING])
        counted: QuerySet[Any] = (
            super()
            .get_queryset(request)
            .annotate(
                attempt_count=Count("attempts"),
                waiting_count=Count("attempts", filter=unfinished),
                failed_count=Count("attempts", filter=Q(attempts__status=Attempt.Status.FAILED)),
            )
        )
        return counted

    @admin.display(description=_("attempts"), ordering="attempt_count")
    def attempt_links(self, submission: Any) -> str:
        return link_to_rows(Attempt, submission.attempt_count, submission__id__exact=submission.pk)

    @admin.display(description=_("waiting"), ordering="waiting_count")
    def waiting(self, submission: Any) -> int:
        count: int = submission.waiting_count
        return count

    @admin.display(description=_("not graded"), ordering="failed_count")
    def failed(self, submission: Any) -> str:
        return link_to_rows(
            Attempt,
            submission.failed_count,
            submission__id__exact=submission.pk,
            status__exact=Attempt.Status.FAILED,
        )


def seen_in_trials(
    trials: Iterable[Trial], parts: Collection[Part] = (Part.STATEMENT, Part.ANSWER)
) -> Seen:
    """A trial holds the text as it was sent, and the reference as it was then."""
    for trial in trials:
        for revision in trial_actions.list_submitted(trial):
            yield from ((revision.pk, part) for part in parts)


@admin.register(Trial)
class TrialAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "problem", "endpoint", "model", "times", "started_by", "created_at"]
    list_filter = ["endpoint", "model"]
    list_select_related = ["problem", "endpoint", "started_by"]
    search_fields = ["problem__title", "model"]
    date_hierarchy = "created_at"

    def list_shown(self, rows: Sequence[Trial], *, in_full: bool) -> Seen:
        return seen_in_trials(rows) if in_full else ()


@admin.register(TrialAnswer)
class TrialAnswerAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "pk",
        "trial_id",
        "number",
        "state",
        "tries",
        "failure_reason",
        "verdict",
        "eed",
    ]
    list_filter = ["state", "failure_reason", "verdict"]
    list_select_related = ["trial"]
    search_fields = ["trial__problem__title", "trial__model"]
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[TrialAnswer], *, in_full: bool) -> Seen:
        trials = {row.trial for row in rows if row.verdict}
        return seen_in_trials(trials, [Part.VERDICT])


@admin.register(UnorderedScore)
class UnorderedScoreAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "attempt", "score", "distance", "reason", "version", "created_at"]
    list_filter = [("score", admin.EmptyFieldListFilter), "reason", "version"]
    list_select_related = ["grade__attempt__solver", "grade__attempt__revision__problem"]
    search_fields = [
        "grade__attempt__solver__name", "grade__attempt__revision__problem__title",
        "grade__attempt__revision__problem__published_id",
    ]  # fmt: skip
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[UnorderedScore], *, in_full: bool) -> Seen:
        """Only what is wrong has a row."""
        return ((row.grade.attempt.revision_id, Part.VERDICT) for row in rows)

    @admin.display(description=_("attempt"))
    def attempt(self, score: UnorderedScore) -> str:
        return str(score.grade.attempt)


# fmt: off
read_only(
    UnorderedPart, "run", "first", "last", "queued_at", "tries", "lost", filters=["run__benchmark"],
    related=["run__benchmark"], search=["run__benchmark__name"], ordering=["-pk"]
)
# fmt: on
