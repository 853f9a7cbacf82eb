from django.urls import path

from grading.runs import views as endpoints

urlpatterns = [
    path("endpoints/", endpoints.endpoints, name="endpoints"),
    path("endpoints/new/", endpoints.new_endpoint, name="new_endpoint"),
    path("endpoints/<int:pk>/", endpoints.endpoint, name="endpoint"),
    path("endpoints/<int:pk>/edit/", endpoints.edit_endpoint, name="edit_endpoint"),
    path("endpoints/<int:pk>/probe/", endpoints.probe, name="probe_endpoint"),
    path("endpoints/<int:pk>/pause/", endpoints.pause, name="pause_endpoint"),
    path("endpoints/<int:pk>/resume/", endpoints.resume, name="resume_endpoint"),
    path("endpoints/<int:pk>/models/", endpoints.offer, name="offer_models"),
    path("endpoints/<int:pk>/spending.csv", endpoints.spending_csv, name="spending_csv"),
]
