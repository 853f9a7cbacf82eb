"""The page of the API, its client as a file, and the answer where there is no such address."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET

from grading.service import api, list_urls
from phybench.catalogue import say_first
from phybench.pages.api.refused import KINDS

CLIENT = settings.BASE_DIR / "client" / "phybench.py"


@login_not_required
@require_GET
def operations(request: HttpRequest) -> HttpResponse:
    """List what the API does, as its OpenAPI says it."""
    schema: dict[str, Any] = api.get_openapi_schema()
    base = reverse("api:api-root").rstrip("/")
    listed = [
        {
            "method": method.upper(),
            "path": path.removeprefix(base),
            "summary": gettext(say_first(said["description"])),
        }
        for path, methods in schema["paths"].items()
        for method, said in methods.items()
    ]
    context = {
        "operations": listed,
        "base": base,
        "kinds": [(kind, gettext(title)) for kind, title in KINDS.items()],
        "most": settings.API_REQUESTS_A_MINUTE,
        "site": settings.SITE_URL,
    }
    return render(request, "grading/api.html", context)


@login_not_required
@require_GET
def client(request: HttpRequest) -> HttpResponse:
    """Give the command-line client: one file, on Python's standard library alone."""
    response = HttpResponse(CLIENT.read_bytes(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="phybench.py"'
    return response


@csrf_exempt
@login_not_required
def missing(request: HttpRequest, rest: str) -> HttpResponse:
    raise Http404


urlpatterns = [
    path("", operations, name="api"),
    path("phybench.py", client, name="api_client"),
    path("v1/", list_urls()),
    path("<path:rest>", missing, name="api_missing"),
]
