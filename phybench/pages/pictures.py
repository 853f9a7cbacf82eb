"""
Pictures as SVG: how they are served and shown.

A picture has an address of its own and is shown in an `<img>`, so that it can be kept by browsers
and downloaded as it is; its template extends `pictures/base.svg`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag, urlencode


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """What a page says of a picture that it shows; `_picture.html` draws it."""

    name: str
    """Of the file that is downloaded, without its ending."""
    path: str
    text: str
    """What the picture says, for those who do not see it: the finding, not the form."""
    query: Mapping[str, str]
    """What the page's address says of the scores that it is of."""
    caption: str = ""
    csv: str = ""
    """The address of the same figures as a file."""

    @property
    def address(self) -> str:
        return self._with()

    @property
    def narrow(self) -> str:
        return self._with(layout="narrow")

    @property
    def download(self) -> str:
        return self._with(download="1")

    def _with(self, **more: str) -> str:
        said = urlencode({**self.query, **more})
        return f"{self.path}?{said}" if said else self.path


def is_narrow(request: HttpRequest) -> bool:
    """Say whether a picture is asked for that fits a phone."""
    return request.GET.get("layout") == "narrow"


def svg_response(
    request: HttpRequest, template: str, context: Mapping[str, object], *, name: str
) -> HttpResponse:
    """
    Serve a picture; a browser that has it is told so in a few bytes.

    Args:
        context: what the template needs, with `title`, `width` and `height`.
        name: of the file, where it is downloaded, without its ending.
    """
    drawn = render_to_string(template, dict(context), request)
    etag = quote_etag(hashlib.sha256(drawn.encode()).hexdigest())
    response = get_conditional_response(
        request, etag=etag, response=HttpResponse(drawn, content_type="image/svg+xml")
    )
    assert response is not None
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    # Its colours for both schemes are its own; it runs and fetches nothing.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    if request.GET.get("download"):
        response.headers["Content-Disposition"] = f'attachment; filename="{name}.svg"'
    return response
