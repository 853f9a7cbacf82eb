from django.urls import path

from grading.board.compare import contrast_views as contrasts
from grading.board.compare import views as comparing
from grading.board.domains.views import domains, domains_csv, domains_picture, freeze_panel
from grading.board.eed import files as eed_files
from grading.board.eed import views as eed
from grading.board.items import views as items
from grading.board.scaling import views as scaling
from grading.board.trust import views as trust
from grading.board.views import board, board_csv, board_picture, publish_judge, rank_changes

urlpatterns = [
    path("", board, name="board"),
    path("boards/<slug:slug>/", board, name="board_of"),
    path("boards/<slug:slug>.csv", board_csv, name="board_csv"),
    path("boards/<slug:slug>/board.svg", board_picture, name="board_picture"),
    path("boards/<slug:slug>/compare/", comparing.compare, name="compare"),
    path("boards/<slug:slug>/compare.svg", comparing.compare_svg, name="compare_svg"),
    path("boards/<slug:slug>/compare.csv", comparing.compare_csv, name="compare_csv"),
    path("boards/<slug:slug>/people-and-models/", contrasts.contrasts, name="contrasts"),
    path("boards/<slug:slug>/people-and-models.csv", contrasts.contrasts_csv, name="contrasts_csv"),
    path("boards/<slug:slug>/runs/<int:pk>/", rank_changes, name="rank_changes"),
    path("boards/<slug:slug>/judges/<int:pk>/", publish_judge, name="publish_judge"),
    path("boards/<slug:slug>/<int:number>/trust/", trust.trust, name="trust"),
    path("boards/<slug:slug>/<int:number>/changes.csv", trust.changes_csv, name="changes_csv"),
    path("boards/<slug:slug>/<int:number>/access.csv", trust.access_csv, name="access_csv"),
    path("boards/<slug:slug>/eed/", eed.eed, name="eed"),
    path("boards/<slug:slug>/eed.csv", eed_files.eed_csv, name="eed_csv"),
    path("boards/<slug:slug>/eed/unordered.csv", eed_files.unordered_csv, name="unordered_csv"),
    path("boards/<slug:slug>/eed/measure-again/", eed.measure_again, name="measure_again"),
    path("boards/<slug:slug>/eed/<slug:name>.svg", eed.eed_picture, name="eed_picture"),
    path("boards/<slug:slug>/domains/", domains, name="domains"),
    path("boards/<slug:slug>/domains.svg", domains_picture, name="domains_picture"),
    path("boards/<slug:slug>/domains.csv", domains_csv, name="domains_csv"),
    path("boards/<slug:slug>/panels/<int:number>/", freeze_panel, name="freeze_panel"),
    path("boards/<slug:slug>/items/", items.items, name="items"),
    path("boards/<slug:slug>/items.svg", items.items_picture, name="items_picture"),
    path("boards/<slug:slug>/items.csv", items.items_csv, name="items_csv"),
    path("boards/<slug:slug>/items/<int:pk>/", items.item, name="item"),
    path("boards/<slug:slug>/scaling/", scaling.scaling, name="scaling"),
    path("boards/<slug:slug>/scaling.svg", scaling.scaling_picture, name="scaling_picture"),
    path("boards/<slug:slug>/scaling.csv", scaling.scaling_csv, name="scaling_csv"),
]
