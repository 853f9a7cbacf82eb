"""Addresses of the site, which are named without the app: where one begins, and old boards."""

from django.contrib.auth.decorators import login_not_required
from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from curation.versions.benchmarks.overview import home

urlpatterns = [
    path("home/", home, name="home"),
    # Papers cite them.
    path(
        "boards/<path:rest>",
        login_not_required(
            require_safe(RedirectView.as_view(url="/b/%(rest)s", permanent=True, query_string=True))
        ),
        name="old_board",
    ),
]
