from django.urls import path

from grading.board.compare import contrast_views as contrasts
from grading.board.compare import views as comparing

urlpatterns = [
    path("boards/<slug:slug>/compare/", comparing.compare, name="compare"),
    path("boards/<slug:slug>/compare.svg", comparing.compare_svg, name="compare_svg"),
    path("boards/<slug:slug>/compare.csv", comparing.compare_csv, name="compare_csv"),
    path("boards/<slug:slug>/people-and-models/", contrasts.contrasts, name="contrasts"),
    path("boards/<slug:slug>/people-and-models.csv", contrasts.contrasts_csv, name="contrasts_csv"),
]
