"""The back office for sessions: by pseudonyms, since no page joins those with names."""

from django.contrib import admin

from grading.sessions.models import (
    Exclusion,
    Extension,
    Participation,
    Save,
    Session,
    SessionItem,
    Trace,
)
from phybench.admin import ReadOnlyAdmin


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = ["pseudonym", "study", "consent_version", "consented_at", "withdrawn_at"]
    list_filter = ["study", ("withdrawn_at", admin.EmptyFieldListFilter)]
    list_select_related = ["study"]
    search_fields = ["pseudonym", "study__title"]
    ordering = ["-pk"]
    exclude = ["person", "answers"]


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ["participation", "started_at", "ends_at", "ended_at", "ending", "seen_at"]
    list_filter = ["participation__study", "ending"]
    list_select_related = ["participation__study"]
    search_fields = ["participation__pseudonym"]
    ordering = ["-pk"]


@admin.register(SessionItem)
class SessionItemAdmin(ReadOnlyAdmin):
    list_display = ["session", "place", "outcome", "opened_at", "gave_up_at", "seen_before_at"]
    list_filter = ["outcome"]
    list_select_related = ["session__participation__study"]
    search_fields = ["session__participation__pseudonym", "why_gave_up"]
    ordering = ["-pk"]
    # The answer is on its own page, which writes down who reads it.
    exclude = ["attempt", "study_item"]


@admin.register(Save)
class SaveAdmin(ReadOnlyAdmin):
    list_display = ["item", "number", "kind", "arrived_at", "is_late"]
    list_filter = ["kind", "is_late"]
    list_select_related = ["item__session__participation__study"]
    search_fields = ["item__session__participation__pseudonym"]
    ordering = ["-pk"]


@admin.register(Trace)
class TraceAdmin(ReadOnlyAdmin):
    list_display = ["item", "kind", "amount", "at"]
    list_filter = ["kind"]
    list_select_related = ["item__session__participation__study"]
    search_fields = ["item__session__participation__pseudonym"]
    ordering = ["-pk"]


@admin.register(Extension)
class ExtensionAdmin(ReadOnlyAdmin):
    list_display = ["session", "minutes", "why", "by", "at"]
    list_select_related = ["session__participation__study", "by"]
    search_fields = ["session__participation__pseudonym", "why"]
    ordering = ["-pk"]


@admin.register(Exclusion)
class ExclusionAdmin(ReadOnlyAdmin):
    list_display = ["participation", "why", "by", "at"]
    list_select_related = ["participation__study", "by"]
    search_fields = ["participation__pseudonym", "why"]
    ordering = ["-pk"]
