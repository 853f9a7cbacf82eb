"""The back office for problems and revisions: to find, to read, and to retire."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from curation.exposures import ledger
from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from curation.problems.models import OUR_OWN_ID, Event, Problem, Revision
from curation.references.sentences import translate
from curation.workflow import NotAllowedNow
from phybench.admin import ReadOnlyAdmin, ReadOnlyInline
from phybench.models import User


class RevisionInline(ReadOnlyInline):
    model = Revision
    show_change_link = True
    readonly_fields = ["number", "answer", "broken_rules", "submitted_at"]
    fields = [*readonly_fields]


class EventInline(ReadOnlyInline):
    model = Event
    readonly_fields = ["at", "kind", "from_status", "to_status", "actor", "said", "note"]
    fields = [*readonly_fields]
    list_select_related = ["actor"]

    @admin.display(description=_("what the app says"))
    def said(self, event: Event) -> str:
        return translate(event.message)


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
    inlines = [RevisionInline, EventInline]
    actions = ["retire"]
    action_form = ReasonedActionForm

    def list_shown(self, rows: Sequence[Problem], *, in_full: bool) -> Seen:
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


@admin.register(Revision)
class RevisionAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["__str__", "answer", "broken_rules", "submitted_at", "saved_at"]
    list_filter = ["submitted_at", "problem__status", "problem__benchmark"]
    list_select_related = ["problem"]
    search_fields = ["problem__title", "problem__published_id", "statement", "answer"]
    date_hierarchy = "submitted_at"

    def list_shown(self, rows: Sequence[Revision], *, in_full: bool) -> Seen:
        parts = ledger.ALL if in_full else (Part.ANSWER,)
        return ((row.pk, part) for row in rows if row.submitted_at for part in parts)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ["problem", "kind", "from_status", "to_status", "actor", "said", "note", "at"]
    list_filter = ["kind", "problem__benchmark"]
    list_select_related = ["problem", "actor"]
    search_fields = ["problem__title", "problem__published_id", "actor__display_name", "note"]
    date_hierarchy = "at"

    @admin.display(description=_("what the app says"))
    def said(self, event: Event) -> str:
        return translate(event.message)
