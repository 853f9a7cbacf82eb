from django.urls import path

from grading.board.domains.views import domains, domains_csv, domains_picture, freeze_panel

urlpatterns = [
    path("b/<slug:slug>/domains/", domains, name="domains"),
    path("b/<slug:slug>/domains.svg", domains_picture, name="domains_picture"),
    path("b/<slug:slug>/domains.csv", domains_csv, name="domains_csv"),
    path("b/<slug:slug>/panels/<int:number>/", freeze_panel, name="freeze_panel"),
]
