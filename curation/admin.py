"""The back office of curation: to find and read every row; a few can be changed."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from curation.authoring.drafts.models import SubmitRequest
from curation.exchange.models import Import, ImportRow
from curation.members.invitations.models import Invitation
from curation.members.models import PersonChange, Request
from curation.problems.benchmarks.models import Benchmark, DomainGoal
from curation.problems.certificates.models import Certificate
from curation.problems.exposures import ledger
from curation.problems.exposures.back_office import RecordingAdmin, Seen, parts, recorded
from curation.problems.exposures.ledger import Part
from curation.problems.exposures.models import Exposure
from curation.problems.models import OUR_OWN_ID, Event, Problem, Revision
from curation.problems.people.models import (
    Conflict,
    Contribution,
    ContributionKind,
    ContributionWeight,
    Credit,
    FormerInstitution,
)
from curation.problems.translations.models import Translation
from curation.reports.models import Erratum, ErrorReport, ReportContact, ReportReply
from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.discussion.models import (
    AdminNote,
    Comment,
    ReviewResponse,
    Thread,
    ThreadStep,
)
from curation.reviewing.pipelines.models import (
    Pipeline,
    Question,
    ReviewSettings,
    Stage,
    StageVersion,
    VersionQuestion,
)
from curation.reviewing.rounds.models import (
    Assignment,
    Review,
    ReviewRound,
    RoundDisagreement,
    SetAside,
)
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from curation.versions.exchange.models import Download
from curation.versions.models import BenchmarkVersion, ItemWithdrawal, VersionItem
from phybench.pages.back_office import ReadOnlyAdmin, empty, inline, read_only
from phybench.people.models import User

# What names a round.
ROUND = ["round__revision__problem", "round__version"]


@admin.display(description=_("what the app says"))
def said(event: Event) -> str:
    return translate(event.message)


class DomainGoalInline(admin.TabularInline):
    model = DomainGoal
    extra = 0


class ReviewSettingsInline(admin.TabularInline):
    model = ReviewSettings
    extra = 0


@admin.register(Benchmark)
class BenchmarkAdmin(admin.ModelAdmin):
    inlines = [ReviewSettingsInline, DomainGoalInline]
    list_display = [
        "name", "slug", "goal", "deadline", "review_settings__pipeline", "is_demo", "created_at",
    ]  # fmt: skip
    list_filter = ["is_demo"]
    list_select_related = ["review_settings__pipeline"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = ["is_demo", "created_at"]


class ContributionForm(forms.ModelForm):
    """What no page records yet, written down by hand: it can't be taken back."""

    BY_HAND = (ContributionKind.TRANSLATED, ContributionKind.FOUND_ERROR)

    class Meta:
        model = Contribution
        fields = ["kind", "person", "revision", "note"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "kind" in self.fields:
            choices = [(kind.value, kind.label) for kind in self.BY_HAND]
            self.fields["kind"].choices = choices  # type: ignore[attr-defined]
            self.fields["revision"].required = self.fields["note"].required = True
            self.fields["revision"].help_text = _("The text that was translated, or was wrong.")
            self.fields["note"].help_text = _(
                "The language of a translation; what error was found, and where it was told. "
                "It can’t be changed once it is saved."
            )


@admin.register(Contribution)
class ContributionAdmin(ReadOnlyAdmin):
    """Written by actions; an admin adds who translated a problem or found an error in it."""

    form = ContributionForm
    list_display = ["person", "kind", "problem", "revision_number", "note", "at"]
    list_filter = ["kind", "problem__benchmark"]
    list_select_related = ["person", "problem", "revision"]
    search_fields = ["person__display_name", "person__email", "problem__title", "note"]
    date_hierarchy = "at"
    autocomplete_fields = ["person", "revision"]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def save_model(self, request: HttpRequest, obj: Contribution, form: Any, change: bool) -> None:
        if obj.revision:
            obj.problem = obj.revision.problem
        super().save_model(request, obj, form, change)

    @admin.display(description=_("revision"), ordering="revision__number")
    def revision_number(self, contribution: Contribution) -> int | None:
        return contribution.revision.number if contribution.revision else None


class WeightForm(forms.ModelForm):
    """A row of the list: its field is named by the kind beside it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["points"].widget.attrs["aria-label"] = self.instance.get_kind_display()


@admin.register(ContributionWeight)
class ContributionWeightAdmin(admin.ModelAdmin):
    """How much each kind of contribution counts; the log keeps who changed what from what."""

    list_display = ["kind", "points"]
    list_editable = ["points"]

    def get_changelist_form(self, request: HttpRequest, **options: Any) -> type[forms.ModelForm]:
        return super().get_changelist_form(request, form=WeightForm, **options)

    def has_add_permission(self, request: HttpRequest) -> bool:
        # There is a row for each kind but where somebody emptied the table.
        missing = ContributionWeight.objects.count() < len(ContributionKind)
        return missing and super().has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        return ["kind"] if obj else []

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        if add or "points" not in form.changed_data:
            return super().construct_change_message(request, form, formsets, add)
        return gettext("Points changed from %(before)s to %(after)s.") % {
            "before": form.initial.get("points"),
            "after": form.cleaned_data["points"],
        }


class BrokenRulesFilter(admin.SimpleListFilter):
    title = _("rules for reference answers")
    parameter_name = "rules"
    field = "broken_rules"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, Any]]:
        return [("broken", _("some broken")), ("kept", _("all kept"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        breaking = Revision.objects.current().exclude(broken_rules=[]).values("problem")
        if self.value() == "broken":
            return queryset.filter(pk__in=breaking)
        if self.value() == "kept":
            return queryset.exclude(pk__in=breaking)
        return queryset


class ReasonedActionForm(ActionForm):
    reason = forms.CharField(
        required=False, max_length=500, label=_("Reason, where the action asks for one:")
    )


@admin.register(Problem)
class ProblemAdmin(RecordingAdmin):
    """Titles and labels can be put right here; status and text change through actions only."""

    list_display = [
        "identifier", "title", "domain", "difficulty", "status", "benchmark", "author",
        "accepted_at",
    ]  # fmt: skip
    list_display_links = ["identifier", "title"]
    list_filter = ["status", "benchmark", "domain", "difficulty", BrokenRulesFilter]
    list_select_related = ["benchmark", "author"]
    search_fields = ["title", "published_id", "author__display_name", "author__email"]
    search_help_text = _("Title, identifier (54, C12), author’s name or e-mail address")
    date_hierarchy = "created_at"
    fields = [
        "title", "domain", "difficulty", "status", "benchmark", "author", "published_id",
        "created_at", "accepted_at",
    ]  # fmt: skip
    readonly_fields = [
        "status", "benchmark", "author", "published_id", "created_at", "accepted_at"
    ]  # fmt: skip
    inlines = [
        inline(
            Revision, "number", "answer", "broken_rules", "submitted_at", show_change_link=True
        ),
        inline(
            Event, "at", "kind", "from_status", "to_status", "actor", said, "note",
            related=["actor"],
        ),
    ]  # fmt: skip
    actions = ["retire"]
    action_form = ReasonedActionForm

    def list_shown(self, rows: Sequence[Problem], in_full: bool) -> Seen:
        # Below a problem stand the answers of its revisions; the list of problems has none.
        if not in_full:
            return ()
        shown = Revision.objects.submitted().filter(problem__in=rows).values_list("pk", flat=True)
        return ((pk, Part.ANSWER) for pk in shown)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if OUR_OWN_ID.fullmatch(search_term.strip().upper()):
            found = Problem.objects.called(search_term.strip())
            return queryset.filter(pk__in=found.values("pk")), False
        return super().get_search_results(request, queryset, search_term)

    @admin.action(description=_("Retire the selected accepted problems (give a reason)"))
    def retire(self, request: HttpRequest, problems: QuerySet[Problem]) -> None:
        # Not above: it brings SymPy, and every command loads this module.
        from curation.problems import actions

        reason = request.POST.get("reason", "").strip()
        if not reason:
            messages.error(request, gettext("Nothing was retired: say why in the field beside it."))
            return
        retired = 0
        for problem in problems:
            try:
                actions.retire(problem=problem, admin=cast("User", request.user), note=reason)
            except NotAllowedNow as error:
                messages.warning(request, f"{problem}: {error}")
            else:
                retired += 1
        if retired:
            messages.success(
                request,
                ngettext("%d problem was retired.", "%d problems were retired.", retired) % retired,
            )


def list_copied(rows: Sequence[Certificate], in_full: bool) -> Seen:
    """A certificate holds a copy of the answer, whichever revisions have that."""
    copies = {(row.problem_id, row.answer) for row in rows}
    problems = {row.problem_id for row in rows}
    revisions = Revision.objects.submitted().filter(problem__in=problems)
    answers = revisions.values_list("pk", "problem", "answer")
    return ((pk, Part.ANSWER) for pk, *copy in answers if tuple(copy) in copies)


def list_submitted(rows: Sequence[Revision], in_full: bool) -> Seen:
    parts = ledger.ALL if in_full else (Part.ANSWER,)
    return ((row.pk, part) for row in rows if row.submitted_at for part in parts)


# fmt: off
recorded(Certificate, "problem", "answer", "grader_version", "outcome", "passed", "failed", "open",
    "finished_at", filters=["outcome", "grader_version", "problem__benchmark"], related=["problem"],
    search=["problem__title", "problem__published_id", "answer"], by_date="finished_at",
    shows=list_copied)
read_only(SubmitRequest, "problem", "by", "queued_at", "outcome", "ended_at", filters=["outcome"],
    related=["problem", "by"], search=["problem__title", "by__display_name", "by__email"],
    by_date="queued_at")
read_only(ErrorReport, "__str__", "kind", "reporter", "reported_at", "outcome", "decided_by",
    "closed_at", filters=["kind", "outcome", empty("closed_at")],
    related=["revision__problem", "benchmark", "reporter", "decided_by"],
    search=["revision__problem__title", "revision__problem__published_id", "reporter__display_name",
        "row", "text", "reason"], by_date="reported_at",
    inlines=[inline(ReportReply, "at", "person", "text", related=["person"])])
# How visitors can be reached; deleted here when they ask for it, or nobody needs it.
read_only(ReportContact, "report", "name", "email", related=["report__revision__problem"],
    search=["name", "email"], has_delete_permission=admin.ModelAdmin.has_delete_permission)
read_only(Erratum, "revision", "corrected_by", "is_of_key", "text", "at", filters=["is_of_key"],
    related=["revision__problem", "corrected_by__problem"],
    search=["revision__problem__title", "revision__problem__published_id", "text"], by_date="at")
read_only(Import, "file_name", "purpose", "benchmark", "owner", "created_at", "ordered_at",
    "finished_at", filters=["purpose", "benchmark", empty("finished_at")],
    related=["benchmark", "owner"], search=["file_name", "file_sha256", "owner__display_name"],
    by_date="created_at")
# What a row says of a problem, its answer too, stands on the import's own page.
read_only(ImportRow, "transfer", "number", "identifier", "title", "action", "result", "note",
    filters=["action", "result"], related=["transfer"],
    search=["transfer__file_name", "identifier", "title", "note"], exclude=["given", "values"])
read_only(Download, "at", "person", "format", "has_keys", "asked", filters=["format", "has_keys"],
    related=["person"], search=["person__display_name", "person__email", "asked"], by_date="at")
read_only(Exposure, "revision", "person", "part", "reason", "at", filters=["part", "reason"],
    related=["revision__problem", "person"],
    search=["revision__problem__title", "person__display_name"], by_date="at")
read_only(Invitation, "email", "most", "roles", "invited_by", "invited_at", "expires_at", "sent_at",
    "failed_at", "accepted_at", "withdrawn_at",
    filters=[empty("accepted_at"), empty("withdrawn_at"), empty("failed_at")],
    related=["invited_by"], search=["email", "name"], by_date="invited_at")
read_only(Request, "person", "role", "institution", "credit", "asked_at", "outcome", "decided_by",
    "decided_at", "reason", filters=["outcome", "role"],
    related=["person", "decided_by", "credit__person", "credit__problem"],
    search=["person__display_name", "person__email", "note", "reason"], by_date="asked_at")
read_only(PersonChange, "person", "kind", "before", "after", "how", "by", "reason", "at",
    filters=["kind", "how"], related=["person", "by"],
    search=["person__display_name", "person__email", "reason"], by_date="at")
read_only(Credit, "problem", "person", "role", "given_by", "given_at", "accepted_at", "removed_by",
    "removed_at", filters=["role", empty("accepted_at"), empty("removed_at"), "problem__benchmark"],
    related=["problem", "person", "given_by", "removed_by"],
    search=["problem__title", "problem__published_id", "person__display_name"], by_date="given_at")
read_only(FormerInstitution, "person", "name", "left_at", related=["person"],
    search=["person__display_name", "name"], by_date="left_at")
read_only(Conflict, "person", "problem", "author", "reason", "marked_by", "marked_at", "lifted_at",
    filters=[empty("lifted_at")], related=["person", "problem", "author", "marked_by"],
    search=["person__display_name", "problem__title", "author__display_name", "reason"],
    by_date="marked_at")
recorded(Revision, "__str__", "answer", "broken_rules", "submitted_at", "saved_at",
    filters=["submitted_at", "problem__status", "problem__benchmark"], related=["problem"],
    search=["problem__title", "problem__published_id", "statement", "answer"],
    by_date="submitted_at", shows=list_submitted)
read_only(Event, "problem", "kind", "from_status", "to_status", "actor", said, "note", "at",
    filters=["kind", "problem__benchmark"], related=["problem", "actor"],
    search=["problem__title", "problem__published_id", "actor__display_name", "note"], by_date="at")
read_only(RoundDisagreement, "round", "total", "recommendations", "answers", "solves", "accept",
    "revise", "reject", "agreeing", "differing", filters=[empty("round__closed_at")], related=ROUND,
    search=["round__revision__problem__title"])
read_only(Adjudication, "at", "by", "round", "step", "reason", filters=["step"],
    related=["by", *ROUND], search=["round__revision__problem__title", "reason"],
    by_date="at")
read_only(Assignment, "round", "reviewer", "how", "assigned_by", "assigned_at", "due_at", "state",
    "ended_at", filters=["state", "how"], related=[*ROUND, "reviewer", "assigned_by"],
    search=["round__revision__problem__title", "reviewer__display_name", "reason"],
    by_date="assigned_at")
# What a matter quotes stands on the round's page, which writes down who read it.
read_only(Thread, "round", "part", "opened_by", "at", filters=["part"],
    related=[*ROUND, "opened_by"],
    search=["round__revision__problem__title", "opened_by__display_name"], by_date="at",
    fields=["round", "part", "start", "end", "opened_by", "at"],
    inlines=[inline(ThreadStep, "at", "is_resolved", "by", related=["by"])])
read_only(Comment, "thread", "round", "writer", "text", "at",
    related=["thread__round__revision__problem", "thread__round__version", *ROUND, "writer"],
    search=["round__revision__problem__title", "writer__display_name", "text"], by_date="at")
read_only(ReviewResponse, "review", "writer", "is_done", "text", "at",
    related=["review__round__revision__problem", "review__round__version", "review__reviewer",
        "writer"],
    search=["review__round__revision__problem__title", "writer__display_name", "text"],
    by_date="at")
read_only(AdminNote, "round", "writer", "text", "at", related=[*ROUND, "writer"],
    search=["round__revision__problem__title", "writer__display_name", "text"], by_date="at")
# Pipelines have pages of their own, where they are changed: there nobody's change is lost
# to another's, and no stage goes that a round is about to open.
read_only(Pipeline, "name", search=["name"],
    inlines=[inline(Stage, show_change_link=True, template="admin/edit_inline/stacked.html")])
# One stage and its questions; those that were asked stay with its versions.
read_only(Stage, "pipeline", "place", "name", "rule", "reviews_needed", "solves_needed",
    filters=["pipeline"], related=["pipeline"], list_display_links=["name"],
    inlines=[inline(Question)])
# What rounds of a stage went by.
read_only(StageVersion, "stage", "number", "name", "rule", "solves_needed",
    related=["stage__pipeline"], list_display_links=["name"], inlines=[inline(VersionQuestion)])
read_only(ReviewRound, "__str__", "version__rule", "reviews_needed", "decision", "decided_by",
    "opened_at", "due_at", "closed_at",
    filters=["decision", empty("closed_at"), empty("decided_by")],
    related=["revision__problem", "version", "decided_by"],
    search=["revision__problem__title", "revision__problem__published_id"], by_date="opened_at")
read_only(Review, "round", "reviewer", "number", "recommendation", "comment", "submitted_at",
    filters=["recommendation"], related=[*ROUND, "reviewer"],
    search=["round__revision__problem__title", "reviewer__display_name", "comment"],
    by_date="submitted_at")
read_only(SetAside, "round", "person", "by", "at", related=[*ROUND, "person", "by"],
    search=["round__revision__problem__title", "person__display_name"], by_date="at")
recorded(BlindSolve, "round", "reviewer", "kind", "answer", "outcome", "solved_at",
    filters=["kind", "outcome", "grader_version"], related=[*ROUND, "reviewer"],
    search=["round__revision__problem__title", "reviewer__display_name", "answer"],
    by_date="solved_at", shows=parts("round.revision_id", Part.VERDICT))
recorded(Translation, "__str__", "stand", "checked_by", "checked_at", "saved_at",
    filters=["language", "checked_at", "revision__problem__benchmark"],
    related=["revision__problem", "checked_by"], search=["revision__problem__title", "statement"],
    shows=parts("revision_id", in_full=[Part.STATEMENT, Part.SOLUTION]))
read_only(BenchmarkVersion, "benchmark", "number", "made_by", "made_at", "published_at", "sha256",
    filters=["benchmark", empty("published_at")], related=["benchmark", "made_by"],
    search=["benchmark__name", "sha256"])
read_only(VersionItem, "version", "identifier", "revision", "is_hidden",
    filters=["version", "is_hidden"], related=["version__benchmark", "revision__problem"],
    search=["identifier", "asked_sha256", "key_sha256"])
read_only(ItemWithdrawal, "item", "by", "at", "reason", related=["item__version__benchmark", "by"],
    search=["item__identifier", "reason"], by_date="at")
# fmt: on
