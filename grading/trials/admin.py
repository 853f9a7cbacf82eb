"""The back office for trials of drafts on models."""

from collections.abc import Collection, Iterable, Sequence

from django.contrib import admin

from curation.exposures.back_office import RecordingAdmin, Seen
from curation.exposures.ledger import Part
from grading.trials import actions as trial_actions
from grading.trials.models import Trial, TrialAnswer
from phybench.admin import ReadOnlyAdmin


def seen_in_trials(
    trials: Iterable[Trial], parts: Collection[Part] = (Part.STATEMENT, Part.ANSWER)
) -> Seen:
    """A trial holds the text as it was sent, and the reference as it was then."""
    for trial in trials:
        for revision in trial_actions.list_submitted(trial):
            yield from ((revision.pk, part) for part in parts)


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
class TrialAnswerAdmin(RecordingAdmin, ReadOnlyAdmin):
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
    list_select_related = ["trial"]
    search_fields = ["trial__problem__title", "trial__model"]
    ordering = ["-pk"]
    show_full_result_count = False

    def list_shown(self, rows: Sequence[TrialAnswer], *, in_full: bool) -> Seen:
        trials = {row.trial for row in rows if row.verdict}
        return seen_in_trials(trials, [Part.VERDICT])
