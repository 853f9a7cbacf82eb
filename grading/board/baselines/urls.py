from django.urls import path

from grading.board.baselines import asked_views as asked
from grading.board.baselines import checklist_views as checklists

urlpatterns = [
    path("studies/<int:pk>/checklist.md", checklists.checklist_md, name="checklist_md"),
    path("studies/<int:pk>/checklist.json", checklists.checklist_json, name="checklist_json"),
    path("studies/<int:pk>/asked/", asked.study_asked, name="study_asked"),
    path("studies/<int:pk>/asked.csv", asked.study_asked_csv, name="study_asked_csv"),
]
