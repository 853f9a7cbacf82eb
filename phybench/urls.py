from allauth.account.views import signup
from django.contrib import admin
from django.db import transaction
from django.urls import include, path

from phybench import views
from phybench.news.desks import views as desks
from phybench.pages.addresses import Address
from phybench.people.demo_people import sign_in_as

admin.autodiscover()

urlpatterns = [
    path("", include("grading.board.urls")),
    path("", include("curation.versions.site_urls")),
    path(
        "inbox/",
        Address(desks.inbox, {"part=count": desks.show_count, "do=read": desks.read_news}),
        name="inbox",
    ),
    path("", include("phybench.news.urls")),
    path("", include("curation.members.site_urls")),
    path("", include("phybench.people.tokens.urls")),
    path("api/", include("grading.service_pages")),
    path("demo-people/<int:pk>/sign-in/", sign_in_as, name="sign_in_as"),
    path("language/", views.choose_language, name="choose_language"),
    path("scheme/", views.choose_scheme, name="choose_scheme"),
    path("language-of-problems/", views.prefer_language, name="prefer_language"),
    path("health/live", views.live, name="live"),
    path("health/ready", views.ready, name="ready"),
    path("robots.txt", views.robots_txt, name="robots_txt"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("how-grading-works/", views.how_grading_works, name="how_grading_works"),
    # An account without its address’s row would be one that others made:
    # `phybench/people/accounts.py`.
    path("accounts/signup/", transaction.atomic(signup), name="account_signup"),
    path(
        "accounts/confirm-email/", views.confirmation_sent, name="account_email_verification_sent"
    ),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("", include("curation.urls")),
    path("", include("grading.urls")),
]

handler500 = "phybench.views.fail"
