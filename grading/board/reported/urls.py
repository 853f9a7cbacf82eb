from django.urls import path

from grading.board.reported import lists as reported_lists
from grading.board.reported import views as reported

urlpatterns = [
    # Scores that were reported elsewhere.
    path("reported/", reported_lists.reported, name="reported"),
    path("reported.csv", reported_lists.reported_csv, name="reported_csv"),
    path("reported/new/", reported.new_reported, name="new_reported"),
    path("reported/import/", reported.import_reported, name="import_reported"),
    path("reported/<int:pk>/withdraw/", reported.withdraw_reported, name="withdraw_reported"),
]
