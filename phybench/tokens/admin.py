"""The back office for tokens: whose there are and when they were used; no secret is kept."""

from django.contrib import admin

from phybench.admin import ReadOnlyAdmin
from phybench.tokens.models import Token


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    list_display = [
        *("name", "person", "beginning", "scopes", "made_at", "expires_at"),
        *("last_used_on", "revoked_at"),
    ]
    list_filter = [("revoked_at", admin.EmptyFieldListFilter)]
    list_select_related = ["person"]
    search_fields = ["name", "beginning", "person__display_name", "person__email"]
    date_hierarchy = "made_at"
    exclude = ["sha256"]
