"""The back office for runs of models: to find and read every row. Nothing is changed here."""

from django.contrib import admin

from grading.model_runs.models import ModelRun, ModelRunAnswer
from phybench.admin import ReadOnlyAdmin


@admin.register(ModelRun)
class ModelRunAdmin(ReadOnlyAdmin):
    list_display = ["pk", "name", "organisation", "version", "endpoint", "state", "started_by"]
    list_filter = ["state", "endpoint"]
    list_select_related = ["organisation", "version__benchmark", "endpoint", "started_by"]
    search_fields = ["name", "model", "organisation__name"]
    date_hierarchy = "created_at"


@admin.register(ModelRunAnswer)
class ModelRunAnswerAdmin(ReadOnlyAdmin):
    list_display = ["pk", "run_id", "item", "sample", "state", "remark", "failure_reason"]
    list_filter = ["state", "remark", "failure_reason"]
    list_select_related = ["item__version__benchmark"]
    search_fields = ["item__identifier", "run__name"]
    ordering = ["-pk"]
    show_full_result_count = False
