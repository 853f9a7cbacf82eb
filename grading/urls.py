from django.urls import include, path

app_name = "grading"
urlpatterns = [
    path("", include("grading.submissions.urls")),
    path("", include("grading.judging.urls")),
    path("", include("grading.studies.urls")),
    path("", include("grading.board.baselines.urls")),
    path("", include("grading.board.first_errors.urls")),
    path("", include("grading.board.histories.urls")),
    path("", include("grading.board.reported.urls")),
    path("", include("grading.samples.urls")),
    path("", include("grading.disputes.urls")),
    path("", include("grading.model_runs.urls")),
    path("", include("grading.model_runs.trials.urls")),
    path("", include("grading.runs.urls")),
]
