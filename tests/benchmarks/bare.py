"""
The reference of benchmarks: the least page that Django can serve, on the same server or client.

Settings of their own (`DJANGO_SETTINGS_MODULE=tests.benchmarks.bare`), and the addresses to them.
"""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from phybench.settings import *  # noqa: F403  # all but what makes our pages ours

ADDRESS = "/bare/"
ROOT_URLCONF = "tests.benchmarks.bare"
MIDDLEWARE: list[str] = []
INSTALLED_APPS: list[str] = []


def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<p>Nothing else.</p>")


urlpatterns = [path(ADDRESS[1:], bare)]
