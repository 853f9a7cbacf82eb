from allauth.account.views import signup
from django.contrib import admin
from django.db import transaction
from django.urls import include, path

from grading.api import pages as api_pages
from grading.api.service import list_urls as api_urls
from grading.board.views import board, board_csv, board_picture, publish_judge
from grading.compare import contrast_views as contrasts
from grading.compare import views as comparing
from grading.domains.views import domains, domains_csv, domains_picture, freeze_panel
from grading.eed import files as eed_files
from grading.eed import views as eed
from grading.items import views as items
from grading.scaling import views as scaling
from grading.trust import views as trust
from phybench import views
from phybench.desks import views as desks
from phybench.mails import views as mails
from phybench.tokens import views as tokens

admin.autodiscover()

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
    path("home/", desks.home, name="home"),
    path("home/news/", desks.read_news, name="read_news"),
    path("profile/", views.profile, name="profile"),
    path("profile/e-mails/", mails.choose_mails, name="choose_mails"),
    path("e-mails/stop/<str:token>/", mails.stop_mails, name="stop_mails"),
    path("profile/tokens/new/", tokens.new, name="new_token"),
    path("profile/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
    path("api/", api_pages.operations, name="api"),
    path("api/phybench.py", api_pages.client, name="api_client"),
    path("api/v1/", api_urls()),
    path("api/<path:rest>", api_pages.missing, name="api_missing"),
    path("language/", views.choose_language, name="choose_language"),
    path("language-of-problems/", views.prefer_language, name="prefer_language"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("how-grading-works/", views.how_grading_works, name="how_grading_works"),
    # An account without its address’s row would be one that others made: `phybench/accounts.py`.
    path("accounts/signup/", transaction.atomic(signup), name="account_signup"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("", include("curation.urls")),
    path("", include("grading.urls")),
]
