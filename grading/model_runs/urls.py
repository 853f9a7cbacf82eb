from django.urls import path

from grading.model_runs import lists as model_run_list
from grading.model_runs import views as model_runs

urlpatterns = [
    path("model-runs/", model_run_list.model_runs, name="model_runs"),
    path("model-runs.csv", model_run_list.model_runs_csv, name="model_runs_csv"),
    path("model-runs/new/", model_runs.new_model_run, name="new_model_run"),
    path("model-runs/<int:pk>/", model_runs.model_run, name="model_run"),
    path("model-runs/<int:pk>.csv", model_run_list.model_run_csv, name="model_run_csv"),
    path("model-runs/<int:pk>/pause/", model_runs.pause_model_run, name="pause_model_run"),
    path("model-runs/<int:pk>/resume/", model_runs.resume_model_run, name="resume_model_run"),
    path("model-runs/<int:pk>/cancel/", model_runs.cancel_model_run, name="cancel_model_run"),
    path("model-runs/<int:pk>/again/", model_runs.ask_model_again, name="ask_model_again"),
    path("model-runs/<int:pk>/<int:number>/", model_runs.model_run_answer, name="model_run_answer"),
]
