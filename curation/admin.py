"""The back office for problems: to find and read everything, and to retire a problem."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation import (
    assignment_admin,  # noqa: F401  # it registers its own
    back_office,
)
from curation.back_office import RecordingAdmin
from curation.models import (
    Adjudication,
    AdminNote,
    Benchmark,
    BlindSolve,
    Certificate,
    Comment,
    Contribution,
    ContributionKind,
    ContributionWeight,
    Credit,
    Download,
    Event,
    Exposure,
    Import,
    Pipeline,
    Problem,
    Question,
    Review,
    ReviewRound,
    Revision,
    Stage,
    Translation,
)
from curation.published import OUR_OWN_ID
from curation.workflow import NotAllowedNow
from phybench.admin import ReadOnlyAdmin
from phybench.models import User


class StageInline(admin.StackedInline):
    model = Stage
    extra = 0
    show_change_link = True


class QuestionInline(admin.TabularInline):
    model = Question
    extra = 0


@admin.register(Pipeline)
class PipelineAdmin(admin.ModelAdmin):
    """What is changed here holds for rounds to come: open ones go by what they were opened with."""

    list_display = ["name", "is_default"]
    search_fields = ["name"]
    inlines = [StageInline]


@admin.register(Stage)
class StageAdmin(admin.ModelAdmin):
    """One stage and its questions; those that were asked stay with the rounds that asked them."""

    list_display = ["pipeline", "place", "name", "rule", "reviews_needed", "solves_needed"]
    list_display_links = ["name"]
    list_filter = ["pipeline"]
    list_select_related = ["pipeline"]
    inlines = [QuestionInline]


@admin.register(Benchmark)
class BenchmarkAdmin(admin.ModelAdmin):
    list_display = ["name", "slug", "pipeline", "is_demo", "created_at"]
    list_filter = ["is_demo"]
    list_select_related = ["pipeline"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}
    readonly_fields = ["is_demo", "created_at"]


class HistoryInline(admin.TabularInline):
    """Rows below a problem; only actions write them."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class RevisionInline(HistoryInline):
    model = Revision
    readonly_fields = ["number", "answer", "broken_rules", "submitted_at"]
    fields = [*readonly_fields]


class EventInline(HistoryInline):
    model = Event
    readonly_fields = ["at", "kind", "from_status", "to_status", "actor", "note"]
    fields = [*readonly_fields]
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("actor")


class BrokenRulesFilter(admin.SimpleListFilter):
    title = _("rules for references")
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


class ReasonForm(ActionForm):
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
    inlines = [RevisionInline, EventInline]
    actions = ["retire"]
    action_form = ReasonForm

    def list_shown(self, rows: Sequence[Problem], *, in_full: bool) -> back_office.Seen:
        return back_office.of_problems(rows, in_full=in_full)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if OUR_OWN_ID.fullmatch(search_term.strip().upper()):
            return queryset.filter(pk=search_term.strip()[1:], published_id=None), False
        return super().get_search_results(request, queryset, search_term)

    @admin.action(description=_("Retire the selected accepted problems (give a reason)"))
    def retire(self, request: HttpRequest, problems: QuerySet[Problem]) -> None:
        # Not above: it brings SymPy, and every command loads this module.
        from curation import actions

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
            messages.success(request, gettext("%d problems were retired.") % retired)


@admin.register(Revision)
class RevisionAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["__str__", "answer", "broken_rules", "submitted_at", "saved_at"]
    list_filter = ["submitted_at", "problem__status", "problem__benchmark"]
    list_select_related = ["problem"]
    search_fields = ["problem__title", "problem__published_id", "statement", "answer"]
    date_hierarchy = "submitted_at"

    def list_shown(self, rows: Sequence[Revision], *, in_full: bool) -> back_office.Seen:
        return back_office.of_revisions(rows, in_full=in_full)


@admin.register(ReviewRound)
class ReviewRoundAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "rule", "reviews_needed", "decision", "decided_by", "opened_at", "due_at",
        "closed_at",
    ]  # fmt: skip
    list_filter = [
        "decision",
        ("closed_at", admin.EmptyFieldListFilter),
        ("decided_by", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["revision__problem", "decided_by"]
    search_fields = ["revision__problem__title", "revision__problem__published_id"]
    date_hierarchy = "opened_at"


@admin.register(Review)
class ReviewAdmin(ReadOnlyAdmin):
    list_display = ["round", "reviewer", "number", "recommendation", "comment", "submitted_at"]
    list_filter = ["recommendation"]
    list_select_related = ["round__revision__problem", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "comment"]
    date_hierarchy = "submitted_at"


@admin.register(BlindSolve)
class BlindSolveAdmin(ReadOnlyAdmin):
    list_display = ["round", "reviewer", "kind", "answer", "outcome", "solved_at"]
    list_filter = ["kind", "outcome", "grader_version"]
    list_select_related = ["round__revision__problem", "reviewer"]
    search_fields = ["round__revision__problem__title", "reviewer__display_name", "answer"]
    date_hierarchy = "solved_at"


@admin.register(Comment)
class CommentAdmin(ReadOnlyAdmin):
    list_display = ["thread", "round", "writer", "text", "at"]
    list_select_related = ["thread__round__revision__problem", "round__revision__problem", "writer"]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(AdminNote)
class AdminNoteAdmin(ReadOnlyAdmin):
    list_display = ["round", "writer", "text", "at"]
    list_select_related = ["round__revision__problem", "writer"]
    search_fields = ["round__revision__problem__title", "writer__display_name", "text"]
    date_hierarchy = "at"


@admin.register(Exposure)
class ExposureAdmin(ReadOnlyAdmin):
    list_display = ["revision", "person", "part", "reason", "at"]
    list_filter = ["part", "reason"]
    list_select_related = ["revision__problem", "person"]
    search_fields = ["revision__problem__title", "person__display_name"]
    date_hierarchy = "at"


@admin.register(Certificate)
class CertificateAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = [
        "problem", "answer", "grader_version", "outcome", "passed", "failed", "open", "finished_at",
    ]  # fmt: skip
    list_filter = ["outcome", "grader_version", "problem__benchmark"]
    list_select_related = ["problem"]
    search_fields = ["problem__title", "problem__published_id", "answer"]
    date_hierarchy = "finished_at"

    def list_shown(self, rows: Sequence[Certificate], *, in_full: bool) -> back_office.Seen:
        return back_office.of_certificates(rows)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ["problem", "kind", "from_status", "to_status", "actor", "note", "at"]
    list_filter = ["kind", "problem__benchmark"]
    list_select_related = ["problem", "actor"]
    search_fields = ["problem__title", "problem__published_id", "actor__display_name", "note"]
    date_hierarchy = "at"


@admin.register(Translation)
class TranslationAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["__str__", "stand", "checked_by", "checked_at", "saved_at"]
    list_filter = ["language", "checked_at", "revision__problem__benchmark"]
    list_select_related = ["revision__problem", "checked_by"]
    search_fields = ["revision__problem__title", "statement"]

    def list_shown(self, rows: Sequence[Translation], *, in_full: bool) -> back_office.Seen:
        return back_office.of_translations(rows, in_full=in_full)


@admin.register(Credit)
class CreditAdmin(ReadOnlyAdmin):
    list_display = [
        "problem", "person", "role", "given_by", "given_at", "removed_by", "removed_at",
    ]  # fmt: skip
    list_filter = ["role", ("removed_at", admin.EmptyFieldListFilter), "problem__benchmark"]
    list_select_related = ["problem", "person", "given_by", "removed_by"]
    search_fields = ["problem__title", "problem__published_id", "person__display_name"]
    date_hierarchy = "given_at"


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = [
        "file_name", "purpose", "benchmark", "owner", "created_at", "ordered_at", "finished_at",
    ]  # fmt: skip
    list_filter = ["purpose", "benchmark", ("finished_at", admin.EmptyFieldListFilter)]
    list_select_related = ["benchmark", "owner"]
    search_fields = ["file_name", "file_sha256", "owner__display_name"]
    date_hierarchy = "created_at"


@admin.register(Download)
class DownloadAdmin(ReadOnlyAdmin):
    list_display = ["at", "person", "format", "has_keys", "asked"]
    list_filter = ["format", "has_keys"]
    list_select_related = ["person"]
    search_fields = ["person__display_name", "person__email", "asked"]
    date_hierarchy = "at"


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


@admin.register(ContributionWeight)
class ContributionWeightAdmin(admin.ModelAdmin):
    """How much each kind of contribution counts; the log keeps who changed what from what."""

    list_display = ["kind", "points"]
    list_editable = ["points"]

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


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = ["at", "by", "round", "step", "finding"]
    list_filter = ["step"]
    list_select_related = ["by", "round__revision__problem"]
    search_fields = ["round__revision__problem__title", "finding", "reason"]
    date_hierarchy = "at"
