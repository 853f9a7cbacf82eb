"""
Pages that everybody may read, kept for those who have no account.

A process makes each once for each state of the database and sends it to all visitors after that,
and while it is made anew the one before; to whom has it already, it says so (304). A member's own
page is kept where visitors are served: members come there who ask without a pause.
"""

import hashlib
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.messages import get_messages
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from phybench.people.http import read_scheme

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

LARGEST = 4 * 1024**2
"""Bytes of a page that is kept."""
MOST_KEPT = 48 * 1024**2
"""Bytes that a process keeps: of more, what was asked for longest ago goes."""
CHECKED_SECONDS = 1.0
"""How long a state is taken for the present one."""
KEPT_SECONDS = 600.0
LATE_SECONDS = 20.0
"""How long a page is shown that was right, while it or another is made: nobody waits for that."""
UNSEEN = {
    *("django_session", "shared_cache", "shared_spent"),
    *("grading_save", "grading_trace", "grading_session", "grading_sessionitem"),
    *("phybench_mail", "phybench_news", "phybench_token"),
    *("curation_reviewdraft", "curation_certificate"),
}
"""
Tables of which no visitor's page tells: whoever types in a study has no board made anew.

What becomes of a session is an answer, and that table is looked at.
"""
TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w{64}|(?<="X-CSRFToken": ")\w{64}')
"""What forms are sent with: each visitor's own."""
PLACE = secrets.token_hex(32).encode()
"""Where it stands in what is kept: nobody can write it into a page, to have it shown elsewhere."""


@dataclass(slots=True)
class Page:
    state: str
    content: bytes
    headers: dict[str, str]
    made_at: float
    right_at: float
    """When it was last of the present state."""


@dataclass
class Shelf:
    """What one process keeps. All is changed under its lock, and no page is made under that."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    pages: OrderedDict[str, Page] = field(default_factory=OrderedDict)
    size: int = 0
    is_for_members: bool = False
    """Whether theirs are kept too, each for one of them: so they may be ten seconds old."""
    making: threading.Lock = field(default_factory=threading.Lock)
    """
    Held while a page is made: one at a time, so that none is made twice, and whoever asks for many
    that nobody has kept takes one processor of the database at most.
    """
    state: str = ""
    checked_at: float = 0.0

    def read_state(self) -> str:
        """
        Tell one state of the database from another, by how many rows were ever written.

        PostgreSQL counts them, at most ten seconds late; and no query reads a row for it.
        """
        with self.lock:
            if time.monotonic() - self.checked_at > CHECKED_SECONDS:
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del)"
                        " FROM pg_stat_user_tables WHERE NOT relname = ANY(%s)",
                        [[*UNSEEN]],
                    )
                    self.state = f"{timezone.localdate()} {cursor.fetchone()}"
                self.checked_at = time.monotonic()
            return self.state

    def find(self, name: str, state: str, *, late: bool = False) -> Page | None:
        """Find a page of the present state; or one that was of it a moment ago."""
        now = time.monotonic()
        with self.lock:
            page = self.pages.get(name)
            if page is None or now - page.made_at >= KEPT_SECONDS:
                return None
            if page.state == state:
                page.right_at = now
            elif not late or now - page.right_at >= LATE_SECONDS:
                return None
            self.pages.move_to_end(name)
            return page

    def put(self, name: str, page: Page) -> None:
        with self.lock:
            self._drop(name)
            self.pages[name] = page
            self.size += len(page.content)
            while self.size > MOST_KEPT:
                self._drop(next(iter(self.pages)))

    def _drop(self, name: str) -> None:
        if page := self.pages.pop(name, None):
            self.size -= len(page.content)


SHELF = Shelf()


def for_everybody(view: View[P]) -> View[P]:
    """
    Show a page without an account; a visitor is sent what another was, while nothing changed.

    For pages that say the same to all visitors, and remember nothing of who asks.
    """

    @wraps(view)
    def kept(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        is_known = request.user.is_authenticated and not SHELF.is_for_members
        if not settings.KEEPS_PAGES or is_known or get_messages(request):
            return view(request, *args, **kwargs)
        state = SHELF.read_state()
        name = _name(request)
        page = SHELF.find(name, state, late=SHELF.making.locked())
        if page is None:
            with SHELF.making:
                page = SHELF.find(name, state)
                if page is None:
                    made = view(request, *args, **kwargs)
                    page = _keep(name, state, made)
                    if page is None:
                        return made
        known = get_conditional_response(request, etag=_tag(request, name, page))
        # The first page gives the token's cookie, and the tag is that of who comes back with it.
        answer = known or _write(request, page)
        return _describe(answer, _tag(request, name, page))

    return login_not_required(require_GET(cast("View[P]", kept)))


def _name(request: HttpRequest) -> str:
    """Name all that what is sent depends on, but for the state."""
    asked = (request.headers.get(name, "") for name in ("HX-Request", "HX-Target"))
    person = str(request.user.pk or "")
    return _hash(
        request.build_absolute_uri(), get_language() or "", read_scheme(request), person, *asked
    )


def _tag(request: HttpRequest, name: str, page: Page) -> str:
    return f'"{_hash(name, page.state, request.META.get("CSRF_COOKIE") or "")}"'


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _keep(name: str, state: str, made: HttpResponseBase) -> Page | None:
    """Keep what was made, where it is the same for all visitors."""
    if not isinstance(made, HttpResponse) or made.status_code != 200 or made.cookies:
        return None
    if "no-store" in made.get("Cache-Control", "") or len(made.content) > LARGEST:
        return None
    now = time.monotonic()
    page = Page(state, TOKEN.sub(PLACE, made.content), dict(made.items()), now, now)
    SHELF.put(name, page)
    return page


def _write(request: HttpRequest, page: Page) -> HttpResponse:
    content = page.content
    if PLACE in content:
        content = content.replace(PLACE, get_token(request).encode())
    return HttpResponse(content, headers=page.headers)


def _describe(response: HttpResponse, tag: str) -> HttpResponse:
    response["ETag"] = tag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response
