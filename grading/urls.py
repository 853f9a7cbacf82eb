from django.urls import path

from grading import endpoint_views, key_views, participant_views, trial_views, views

app_name = "grading"
urlpatterns = [
    path("submissions/", views.submissions, name="submissions"),
    path("submissions/new/", views.upload, name="upload"),
    path("submissions/problems/<slug:slug>.json", views.problems_json, name="problems_json"),
    path("submissions/<int:pk>/", views.submission, name="submission"),
    path("submissions/<int:pk>.csv", views.submission_csv, name="submission_csv"),
    path("submissions/<int:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("submissions/<int:pk>/try-again/", views.try_again, name="try_again"),
    path("attempts/<int:pk>/", views.attempt, name="attempt"),
    path("keys/", key_views.keys, name="keys"),
    path("keys.csv", key_views.keys_csv, name="keys_csv"),
    path("keys/look-again/", key_views.look_again, name="look_again"),
    path("keys/<int:pk>/", key_views.key, name="key"),
    path("revisions/<int:pk>/tries/", trial_views.tries, name="tries"),
    path("answer/", participant_views.to_answer, name="to_answer"),
    path("answer/<int:pk>/read/", participant_views.read_as, name="read_as"),
    path("answer/<int:pk>/", participant_views.answer, name="answer"),
    path("problems/<int:pk>/trials/", trial_views.trials, name="trials"),
    path("problems/<int:pk>/trials.csv", trial_views.trials_csv, name="trials_csv"),
    path("trials/<int:pk>/cancel/", trial_views.cancel, name="cancel_trial"),
    path("trials/<int:pk>/again/", trial_views.ask_again, name="ask_again"),
    path("trials/<int:pk>/<int:number>/", trial_views.trial_answer, name="trial_answer"),
    path("endpoints/", endpoint_views.endpoints, name="endpoints"),
    path("endpoints/new/", endpoint_views.new_endpoint, name="new_endpoint"),
    path("endpoints/<int:pk>/", endpoint_views.endpoint, name="endpoint"),
    path("endpoints/<int:pk>/edit/", endpoint_views.edit_endpoint, name="edit_endpoint"),
    path("endpoints/<int:pk>/probe/", endpoint_views.probe, name="probe_endpoint"),
    path("endpoints/<int:pk>/pause/", endpoint_views.pause, name="pause_endpoint"),
    path("endpoints/<int:pk>/resume/", endpoint_views.resume, name="resume_endpoint"),
    path("endpoints/<int:pk>/models/", endpoint_views.offer, name="offer_models"),
    path("endpoints/<int:pk>/spending.csv", endpoint_views.spending_csv, name="spending_csv"),
]
