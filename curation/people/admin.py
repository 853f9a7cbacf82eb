"""The back office for who had a part in what, how much that counts, and conflicts of interest."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.people.models import (
    Conflict,
    Contribution,
    ContributionKind,
    ContributionWeight,
    Credit,
)
from phybench.admin import ReadOnlyAdmin


@admin.register(Credit)
class CreditAdmin(ReadOnlyAdmin):
    list_display = [
        "problem", "person", "role", "given_by", "given_at", "removed_by", "removed_at",
    ]  # fmt: skip
    list_filter = ["role", ("removed_at", admin.EmptyFieldListFilter), "problem__benchmark"]
    list_select_related = ["problem", "person", "given_by", "removed_by"]
    search_fields = ["problem__title", "problem__published_id", "person__display_name"]
    date_hierarchy = "given_at"


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


@admin.register(Conflict)
class ConflictAdmin(ReadOnlyAdmin):
    list_display = ["person", "problem", "author", "reason", "marked_by", "marked_at", "lifted_at"]
    list_filter = [("lifted_at", admin.EmptyFieldListFilter)]
    list_select_related = ["person", "problem", "author", "marked_by"]
    search_fields = ["person__display_name", "problem__title", "author__display_name", "reason"]
    date_hierarchy = "marked_at"
