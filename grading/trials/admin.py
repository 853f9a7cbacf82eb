"""The back office for trials of drafts on models."""

from collections.abc import Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.trials import actions as trial_actions
from grading.trials.models import Trial, TrialAnswer
from phybench.admin import ReadOnlyAdmin


def seen_in_trials(trials: Sequence[Trial]) -> Seen:
    """A trial holds the text as it was sent, and the reference as it was then."""
    for trial in trials:
        for revision in trial_actions.list_submitted(trial):
            yield revision.pk, Part.STATEMENT
            yield revision.pk, Part.ANSWER


@admin.register(Trial)
class TrialAdmin(RecordingAdmin, ReadOnlyAdmin):
    list_display = ["pk", "problem", "endpoint", "model", "times", "asked_by", "created_at"]
    list_filter = ["endpoint", "model"]
    list_select_related = ["problem", "endpoint", "asked_by"]
    search_fields = ["problem__title", "model"]
    date_hierarchy = "created_at"

    def list_shown(self, rows: Sequence[Trial], *, in_full: bool) -> Seen:
        return seen_in_trials(rows) if in_full else ()


@admin.register(TrialAnswer)
class TrialAnswerAdmin(ReadOnlyAdmin):
    list_display = [
        "pk",
        "trial_id",
        "number",
        "state",
        "tries",
        "failure_reason",
        "verdict",
        "eed",
    ]
    list_filter = ["state", "failure_reason", "verdict"]
    search_fields = ["trial__problem__title", "trial__model"]
    ordering = ["-pk"]
    show_full_result_count = False
