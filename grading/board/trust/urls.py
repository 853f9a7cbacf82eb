from django.urls import path

from grading.board.trust import views as trust

urlpatterns = [
    path("b/<slug:slug>/<int:number>/trust/", trust.trust, name="trust"),
    path("b/<slug:slug>/<int:number>/changes.csv", trust.changes_csv, name="changes_csv"),
    path("b/<slug:slug>/<int:number>/access.csv", trust.access_csv, name="access_csv"),
]
