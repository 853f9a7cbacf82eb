"""The pages of the board's room that are named as those of other rooms are, `grading:…`."""

from django.urls import path

from grading.board.baselines import asked_views as asked
from grading.board.baselines import checklist_views as checklists
from grading.board.first_errors import views as drawing
from grading.board.histories import views as histories
from grading.board.reported import lists as reported_lists
from grading.board.reported import views as reported

urlpatterns = [
    path("studies/<int:pk>/checklist.md", checklists.checklist_md, name="checklist_md"),
    path("studies/<int:pk>/checklist.json", checklists.checklist_json, name="checklist_json"),
    path("studies/<int:pk>/asked/", asked.study_asked, name="study_asked"),
    path("studies/<int:pk>/asked.csv", asked.study_asked_csv, name="study_asked_csv"),
    path("first-errors/new/", drawing.new_first_error_sample, name="new_first_error_sample"),
    path("solvers/<int:pk>/", histories.solver, name="solver"),
    path("solvers/<int:pk>.csv", histories.solver_csv, name="solver_csv"),
    path("solvers/<int:pk>.svg", histories.solver_picture, name="solver_picture"),
    # Scores that were reported elsewhere.
    path("reported/", reported_lists.reported, name="reported"),
    path("reported.csv", reported_lists.reported_csv, name="reported_csv"),
    path("reported/new/", reported.new_reported, name="new_reported"),
    path("reported/import/", reported.import_reported, name="import_reported"),
    path("reported/<int:pk>/withdraw/", reported.withdraw_reported, name="withdraw_reported"),
]
