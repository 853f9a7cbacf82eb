"""The API as a whole: its rooms, its errors, its addresses."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.operation import Operation

from grading.board.api import benchmarks
from grading.submissions.api import drafts, submissions
from phybench.pages.api import refused
from phybench.pages.api.door import tell_limits


class _Api(NinjaAPI):
    """Tells with each answer how many requests are left."""

    def create_temporal_response(self, request: HttpRequest) -> HttpResponse:
        response = super().create_temporal_response(request)
        tell_limits(request, response)
        return response

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Name it by the file that has it, wherever that lies: programs are made from the names."""
        function = operation.view_func
        return f"grading_api_{function.__module__.rpartition('.')[2]}_{function.__name__}"

    def on_exception(self, request: HttpRequest, exc: Any) -> HttpResponse:
        response = super().on_exception(request, exc)
        tell_limits(request, response)
        return response


TITLE = "PHYBench curation"
api = _Api(
    title=TITLE,
    version="1",
    description="Upload models' answers, have them graded, read how. See docs/api.md.",
    urls_namespace="api",
    docs_url=None,
)
refused.register(api)
for _room in (benchmarks, drafts, submissions):
    api.add_router("", _room.router)


def list_urls() -> Any:
    """Return the addresses; a token lets in, so nobody is sent to sign in."""
    patterns, app_name, namespace = api.urls
    for pattern in patterns:
        callback: Any = pattern.callback
        login_not_required(callback)
    return patterns, app_name, namespace
