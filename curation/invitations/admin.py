"""The back office for invitations: to whom, with which roles, and what became of each."""

from django.contrib import admin

from curation.invitations.models import Invitation
from phybench.admin import ReadOnlyAdmin


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = [
        "email", "roles", "invited_by", "invited_at", "expires_at", "sent_at", "failed_at",
        "accepted_at", "withdrawn_at",
    ]  # fmt: skip
    list_filter = [
        ("accepted_at", admin.EmptyFieldListFilter),
        ("withdrawn_at", admin.EmptyFieldListFilter),
        ("failed_at", admin.EmptyFieldListFilter),
    ]
    list_select_related = ["invited_by"]
    search_fields = ["email", "name"]
    date_hierarchy = "invited_at"
