from allauth.account.views import signup
from django.contrib import admin
from django.db import transaction
from django.urls import include, path

from grading.api import pages as api_pages
from grading.api.service import list_urls as api_urls
from grading.board.views import board, board_csv, publish_judge
from phybench import views
from phybench.tokens import views as tokens

admin.autodiscover()

urlpatterns = [
    path("", board, name="board"),
    path("boards/<slug:slug>/", board, name="board_of"),
    path("boards/<slug:slug>.csv", board_csv, name="board_csv"),
    path("boards/<slug:slug>/judges/<int:pk>/", publish_judge, name="publish_judge"),
    path("home/", views.home, name="home"),
    path("profile/", views.profile, name="profile"),
    path("profile/tokens/new/", tokens.new, name="new_token"),
    path("profile/tokens/<int:pk>/revoke/", tokens.revoke, name="revoke_token"),
    path("api/", api_pages.operations, name="api"),
    path("api/phybench.py", api_pages.client, name="api_client"),
    path("api/v1/", api_urls()),
    path("api/<path:rest>", api_pages.missing, name="api_missing"),
    path("language/", views.choose_language, name="choose_language"),
    path("language-of-problems/", views.prefer_language, name="prefer_language"),
    path("how-grading-works/", views.how_grading_works, name="how_grading_works"),
    # An account without its address’s row would be one that others made: `phybench/accounts.py`.
    path("accounts/signup/", transaction.atomic(signup), name="account_signup"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("", include("curation.urls")),
    path("", include("grading.urls")),
]
