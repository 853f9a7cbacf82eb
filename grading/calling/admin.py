"""The back office for endpoints, the calls made to them, and what was spent."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import ALL, Part
from grading.calling.models import CallUnderWay, Endpoint, ModelCall, Reservation, Spending
from grading.trials.admin import seen_in_trials
from phybench.admin import ReadOnlyAdmin


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
        yield from seen_in_trials([row.trial_answer.trial for row in rows if row.trial_answer])
        asked = (row.run_answer.item.revision_id for row in rows if row.run_answer)
        yield from ((revision_id, Part.STATEMENT) for revision_id in asked)
        attempts = (row.judge_call.item.attempt for row in rows if row.judge_call)
        for attempt in attempts:
            if attempt is not None:
                yield from ((attempt.revision_id, part) for part in (*ALL, Part.VERDICT))

    list_select_related = ["endpoint"]
    search_fields = ["model", "model_reported"]
    date_hierarchy = "made_at"
    ordering = ["-pk"]
    show_full_result_count = False


@admin.register(CallUnderWay)
class CallUnderWayAdmin(ReadOnlyAdmin):
    list_display = ["pk", "endpoint", "model", "tokens", "money", "until"]
    list_select_related = ["endpoint"]
    search_fields = ["model"]


@admin.register(Reservation)
class ReservationAdmin(ReadOnlyAdmin):
    list_display = ["pk", "endpoint", "model_run_id", "judge_run_id", "calls", "tokens", "money"]
    list_filter = ["endpoint"]
    list_select_related = ["endpoint"]
    search_fields = ["endpoint__name"]


@admin.register(Spending)
class SpendingAdmin(ReadOnlyAdmin):
    list_display = ["day", "endpoint", "model", "calls", "estimated", "tokens", "money"]
    list_filter = ["endpoint", "model"]
    list_select_related = ["endpoint"]
    search_fields = ["model"]
    date_hierarchy = "day"
