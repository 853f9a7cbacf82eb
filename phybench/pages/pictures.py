"""
Pictures as SVG: how they are served and shown, and of figures in rows where all lies.

A picture has an address of its own and is shown in an `<img>`, so that it can be kept by browsers
and downloaded as it is; its template extends `pictures/base.svg`. Numbers are written into it as
strings, so that no locale writes a coordinate with a comma.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag, urlencode

TOP = 8
FROM_ROW_TO_DOT = 13
BELOW_LAST = 14

Mark = TypeVar("Mark")


@dataclass(frozen=True, slots=True)
class Layout:
    """One width of a picture, in the picture's own units."""

    name: str
    width: int
    left: int
    """Of the axis' low end."""
    right: int
    """Of its high end."""
    low: float
    high: float
    line: int
    """Height of a row."""
    name_x: int
    name_dy: int
    """From the dot to the name's base line."""
    longest: int
    """Characters of a name that there is room for."""

    def x(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        # A string, so that no locale writes a coordinate with a comma.
        return f"{self.left + (self.right - self.left) * share:.1f}"

    def y(self, row: int) -> int:
        """Return where the dot of a row lies; the first is row 0."""
        return TOP + self.line * (row + 1) - FROM_ROW_TO_DOT

    def ticks(self, values: Sequence[float]) -> list[tuple[str, str]]:
        return [(f"{value:g}", self.x(value)) for value in values]


PERCENT_LAYOUTS = (
    Layout(
        name="wide",
        width=640,
        left=230,
        right=615,
        low=0,
        high=100,
        line=26,
        name_x=218,
        name_dy=4,
        longest=28,
    ),
    # Names above their lines: beside them a narrow screen has no room.
    Layout(
        name="narrow",
        width=360,
        left=12,
        right=345,
        low=0,
        high=100,
        line=44,
        name_x=12,
        name_dy=-10,
        longest=32,
    ),
)
"""Of figures from 0 to 100: beside the names, and for narrow screens below them."""
PAGE = replace(PERCENT_LAYOUTS[0], width=1080, left=300, right=1050, name_x=286, longest=38)
"""As wide as a page."""


def lay_out(*, is_narrow: bool, low: float = 0, high: float = 100) -> Layout:
    """Return the layout of a picture of its own: as wide as a page, or as a phone."""
    return replace(PERCENT_LAYOUTS[1] if is_narrow else PAGE, low=low, high=high)


@dataclass(frozen=True, slots=True)
class Picture(Generic[Mark]):
    layout: Layout
    marks: Sequence[Mark]
    """A row each, top first."""
    ticks: Sequence[tuple[str, str]]
    """What is written below the axis, and where."""
    axis_x: str
    """The middle of what says what the axis is."""

    @property
    def bottom(self) -> int:
        return self.layout.y(len(self.marks) - 1) + BELOW_LAST

    @property
    def height(self) -> int:
        return self.bottom + 40

    @property
    def tick_y(self) -> int:
        return self.bottom + 15

    @property
    def axis_y(self) -> int:
        return self.bottom + 33

    @property
    def inner_height(self) -> int:
        return self.bottom - TOP


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
