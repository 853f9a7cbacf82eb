from django.urls import path

from grading.model_runs.trials import views as trials

urlpatterns = [
    path("revisions/<int:pk>/tries/", trials.tries, name="tries"),
    path("p/<int:pk>/trials/", trials.trials, name="trials"),
    path("p/<int:pk>/trials.csv", trials.trials_csv, name="trials_csv"),
    path("trials/<int:pk>/cancel/", trials.cancel, name="cancel_trial"),
    path("trials/<int:pk>/again/", trials.ask_again, name="ask_again"),
    path("trials/<int:pk>/<int:number>/", trials.trial_answer, name="trial_answer"),
]
