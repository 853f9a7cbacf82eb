"""The back office for people, and what every list of it shares."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ERROR_FLAG
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import FieldDoesNotExist
from django.db import DataError
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from phybench.models import Role, User

admin.site.site_header = _("PHYBench curation: back office")
admin.site.site_title = _("Back office")
admin.site.index_title = _("All tables")
# One way to sign in, with its rate limits; who is no admin is told so.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
AdminView = Callable[..., HttpResponseBase]


def link_to_rows(model: type[Model], text: object, **filters: object) -> str:
    """Link to another list of the back office, narrowed to some rows."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    return format_html('<a href="{}?{}">{}</a>', address, query, text)


def _leave_out_wrong_values(make: Callable[..., AdminView]) -> Callable[..., AdminView]:
    """Where a list can't be narrowed as its address says, show all of it, as Django often does."""

    @wraps(make)
    def make_view(view: AdminView, cacheable: bool = False) -> AdminView:
        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            try:
                answer = view(request, *args, **kwargs)
                # Rows are fetched no later than that.
                return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer
            except (OverflowError, ValueError, DataError):
                # Without what was asked for, it is no fault of that.
                if request.method != "GET" or not set(request.GET) - {ERROR_FLAG}:
                    raise
                return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")

        return make(shown, cacheable)

    return make_view


admin.site.admin_view = _leave_out_wrong_values(  # type: ignore[assignment,method-assign]
    admin.site.admin_view
)
# What people may do is their roles: there are no groups.
admin.site.unregister(Group)


class NarrowedAdmin(admin.ModelAdmin):
    """
    A list whose address narrows it by what its pages show, and by nothing else.

    Django takes any field of a row, and what other rows point at it, whether a page shows them:
    by trying, one finds what was left out, such as who is behind a pseudonym.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        name = lookup.split(LOOKUP_SEP)[0]
        if name in (self.exclude or ()):
            return False
        try:
            field = self.model._meta.get_field(name)
        except FieldDoesNotExist:
            return super().lookup_allowed(lookup, value, request)
        return field.concrete and super().lookup_allowed(lookup, value, request)


class ReadOnlyAdmin(NarrowedAdmin):
    """Rows that only the project's own actions write; here they are to be found and read."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):
    """Rows below another; only the project's own actions write them."""

    extra = 0
    can_delete = False
    list_select_related: Sequence[str] = ()
    """As that of a list: what the rows name is fetched with them."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        # With no names it would fetch all that there is.
        named = self.list_select_related
        return found.select_related(*named) if named else found

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


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


# The back office of this app's rooms, which stands on what is above.
from phybench.mails import admin as mails  # noqa: E402
from phybench.tokens import admin as tokens  # noqa: E402

__all__ = ["PersonAdmin", "ReadOnlyAdmin", "ReadOnlyInline", "link_to_rows", "mails", "tokens"]
