"""What holds for all pages alike: which requests no view gets, and how each is answered."""

from collections.abc import Callable
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django_htmx.middleware import HtmxDetails

from phybench.people import lanes
from phybench.people.models import User
from phybench.people.refusals import PROBLEM_JSON, refuse

API = "/api/v1/"
GetResponse = Callable[[HttpRequest], HttpResponseBase]


def refuse_nul(get_response: GetResponse) -> GetResponse:
    """
    Refuse a NUL in an address or a cookie: PostgreSQL stores none, and finds nothing by one.

    What is sent in forms their fields refuse, each at its place.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        query = unquote(request.META.get("QUERY_STRING", ""))
        if any("\0" in text for text in (request.path, query, *request.COOKIES.values())):
            raise BadRequest("It holds a NUL.")
        return get_response(request)

    return middleware


def answer_head(get_response: GetResponse) -> GetResponse:
    """Answer HEAD as GET is answered, whatever methods a page names; the server sends no body."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        response = get_response(request)
        if is_head:
            request.method = "HEAD"
        return response

    return middleware


def answer_programs(get_response: GetResponse) -> GetResponse:
    """
    Refuse programs in their language: what a request to the API fails with is problem+json.

    Also what no view of the API answers: an address that there is none of, a method, a NUL.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path_info.startswith(API):
            return response
        if response.status_code >= 400 and response.get("Content-Type") != PROBLEM_JSON:
            allowed = response.get("Allow")
            response = refuse(response.status_code)
            if allowed:
                response["Allow"] = allowed
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response

    return middleware


def keep_private(get_response: GetResponse) -> GetResponse:
    """
    Let nobody's cache keep what somebody signed in was shown, unless the page says more itself.

    A page is asked for anew each time, and what was typed survives “back”; a file is not stored.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # Not `request.user`: where the database is away, the page that says so is to be shown.
        cookies = (request.COOKIES, response.cookies)
        if any(settings.SESSION_COOKIE_NAME in one for one in cookies) and not response.has_header(
            "Cache-Control"
        ):
            is_file = response.get("Content-Disposition", "").startswith("attachment")
            patch_cache_control(
                response, private=True, **{"no_store" if is_file else "no_cache": True}
            )
        return response

    return middleware


def note_visit(get_response: GetResponse) -> GetResponse:
    """
    Keep the day on which somebody was here last, for admins who look after people.

    And tell the web server whose a session is, for as long as it is.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        person = request.user
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        today = timezone.now().date()
        # Once a day, so that not every request writes.
        if isinstance(person, User) and person.last_seen_on != today:
            User.objects.filter(pk=person.pk).update(last_seen_on=today)
        if isinstance(person, User):
            lanes.KNOWN.note(session, person.pk)
        elif session:
            lanes.KNOWN.forget(session)
        response = get_response(request)
        if session and request.session.session_key != session:
            # Signed out, or in anew.
            lanes.KNOWN.forget(session)
        return response

    return middleware


def vary_by_htmx(get_response: GetResponse) -> GetResponse:
    """
    Tell views whether htmx asks, as django-htmx does; have caches keep the two answers apart.

    Only of pages that looked: the others answer alike.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_looked_at = False

        def look() -> HtmxDetails:
            nonlocal is_looked_at
            is_looked_at = True
            return HtmxDetails(request)

        request.htmx = SimpleLazyObject(look)  # type: ignore[attr-defined]
        response = get_response(request)
        if is_looked_at:
            patch_vary_headers(response, ["HX-Request"])
        return response

    return middleware
