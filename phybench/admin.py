"""The back office for people, their tokens and e-mails, and how all of it opens."""

from collections.abc import Sequence
from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from phybench.news.jobs.models import Job
from phybench.news.mails.models import Mail, MailChoice, News
from phybench.pages.back_office import (
    NarrowedAdmin,
    empty,
    inline,
    leave_out_wrong_values,
    read_only,
)
from phybench.people.models import Role, User
from phybench.people.tokens.models import Token


def list_tables(request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
    """As Django does, which translates names anew each time that it compares two in sorting."""
    apps = admin.site._build_app_dict(request, app_label).values()
    for app in apps:
        app["models"].sort(key=lambda model: str(model["name"]))
    return sorted(apps, key=lambda app: str(app["name"]).lower())


admin.site.site_header = _("PHYBench curation: back office")
admin.site.site_title = _("Back office")
admin.site.index_title = _("All tables")
# One way to sign in, with its rate limits; who is no admin is told so.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.admin_view = leave_out_wrong_values(  # type: ignore[assignment,method-assign]
    admin.site.admin_view
)
admin.site.get_app_list = list_tables  # type: ignore[method-assign]
# What people may do is their roles: there are no groups.
admin.site.unregister(Group)


class NewPersonForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("email", "display_name")
        field_classes: dict[str, type[forms.Field]] = {}


class RoleFilter(admin.SimpleListFilter):
    title = _("role")
    parameter_name = "role"

    def lookups(
        self, request: HttpRequest, model_admin: admin.ModelAdmin
    ) -> Sequence[tuple[str, Any]]:
        return [*Role.choices, ("none", _("none yet"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        if self.value() == "none":
            return queryset.filter(roles=[])
        if self.value() in Role.values:
            return queryset.filter(roles__contains=[self.value()])
        return queryset


@admin.register(User)
class PersonAdmin(NarrowedAdmin, UserAdmin):
    """
    Who there is. Roles and sign-in change on the person's own page: there it is written down.

    "View on site" leads to that page.
    """

    add_form = NewPersonForm
    list_display = ["display_name", "email", "role_names", "is_active", "is_demo", "joined_at"]
    list_display_links = ["display_name", "email"]
    list_filter = [RoleFilter, "is_active", "is_demo"]
    search_fields = ["display_name", "email"]
    date_hierarchy = "joined_at"
    ordering = ["-joined_at"]
    filter_horizontal = ()
    # It would join names with pseudonyms: the list is not narrowed by it either.
    exclude = ["sits_until"]
    readonly_fields = [
        "roles", "is_active", "institution", "is_demo", "joined_at", "last_login", "last_seen_on"
    ]  # fmt: skip
    fieldsets = [
        (None, {"fields": ["email", "display_name", "is_named", "password"]}),
        (_("Permissions"), {"fields": ["roles", "is_active", "institution"]}),
        (_("Activity"), {"fields": ["joined_at", "last_login", "last_seen_on", "is_demo"]}),
    ]
    add_fieldsets = [
        (
            None,
            {"fields": ["email", "display_name", "usable_password", "password1", "password2"]},
        ),
    ]

    @admin.display(description=_("roles"))
    def role_names(self, person: User) -> str:
        return ", ".join(label for label, _what in person.role_labels())

    def view_on_site(self, person: User) -> str:
        return reverse("curation:member", args=[person.pk])


# fmt: off
read_only(Mail, "pk", "person", "day", "made_at", "tries", "sent_at", "failed_at", "failure",
    filters=[empty("failed_at"), empty("day")], related=["person"], search=["person__display_name"],
    inlines=[inline(News, "kind", "key", "at")])
read_only(Job, "pk", "kind", "subject", "title", "by", "begun_at", "ended_at", "outcome",
    filters=["kind", "outcome"], related=["by"], search=["title", "by__display_name"])
read_only(MailChoice, "person", "kind", "when", filters=["kind", "when"], related=["person"],
    search=["person__display_name"])
read_only(Token, "name", "person", "beginning", "scopes", "made_at", "expires_at", "last_used_on",
    "revoked_at", filters=[empty("revoked_at")], related=["person"],
    search=["name", "beginning", "person__display_name", "person__email"], by_date="made_at",
    exclude=["sha256"])
# fmt: on
