from django.urls import path

from grading.board.compare import contrast_views as contrasts
from grading.board.compare import views as comparing

urlpatterns = [
    path("b/<slug:slug>/compare/", comparing.compare, name="compare"),
    path("b/<slug:slug>/compare.svg", comparing.compare_svg, name="compare_svg"),
    path("b/<slug:slug>/compare.csv", comparing.compare_csv, name="compare_csv"),
    path("b/<slug:slug>/people-and-models/", contrasts.contrasts, name="contrasts"),
    path("b/<slug:slug>/people-and-models.csv", contrasts.contrasts_csv, name="contrasts_csv"),
]
