from django.urls import include, path

from grading.board.scaling import views as scaling
from grading.board.views import board, board_csv, board_picture, publish_judge, rank_changes

urlpatterns = [
    path("", board, name="board"),
    path("b/<slug:slug>/", board, name="board_of"),
    path("b/<slug:slug>.csv", board_csv, name="board_csv"),
    path("b/<slug:slug>/board.svg", board_picture, name="board_picture"),
    path("", include("grading.board.compare.urls")),
    path("b/<slug:slug>/runs/<int:pk>/", rank_changes, name="rank_changes"),
    path("b/<slug:slug>/judges/<int:pk>/", publish_judge, name="publish_judge"),
    path("", include("grading.board.trust.urls")),
    path("", include("grading.board.eed.urls")),
    path("", include("grading.board.domains.urls")),
    path("", include("grading.board.items.urls")),
    path("b/<slug:slug>/scaling/", scaling.scaling, name="scaling"),
    path("b/<slug:slug>/scaling.svg", scaling.scaling_picture, name="scaling_picture"),
    path("b/<slug:slug>/scaling.csv", scaling.scaling_csv, name="scaling_csv"),
]
