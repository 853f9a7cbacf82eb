from django.urls import include, path

app_name = "grading"
urlpatterns = [
    path("", include("grading.submissions.urls")),
    path("", include("grading.judging.urls")),
    path("", include("grading.studies.urls")),
    path("", include("grading.board.grading_urls")),
    path("", include("grading.samples.urls")),
    path("", include("grading.disputes.urls")),
    path("", include("grading.model_runs.urls")),
    path("", include("grading.model_runs.trials.urls")),
    path("", include("grading.runs.calling.urls")),
]
