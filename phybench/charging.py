"""
Charge every request that may leave something behind, before its body is read.

What was refused is said as who asks reads it, by a page, a part of one, JSON or problem+json: each
with a sentence and `Retry-After`. Whoever sent it still has what they sent.
"""

import ipaddress
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from phybench.pages.addresses import name_address
from phybench.pages.api.refused import say
from phybench.people.middleware import API
from phybench.people.models import User
from phybench.people.tokens import actions as tokens
from phybench.work import budgets, sandbox

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
WORTH_COUNTING = 0.05
"""Seconds of a request that only stores: to count less costs as much as what is counted."""
A_MINUTE = 60


class ChargingMiddleware:
    """Stand before what reads a body: its `process_view` comes first, and knows who asks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        before = time.thread_time()
        with sandbox.metered() as meter:
            response = self.get_response(request)
        used = time.thread_time() - before + meter.seconds
        who, least = getattr(request, "charged", ("", 0.0))
        if who and used > least:
            budgets.spend(who, seconds=used)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            response.headers.setdefault("Retry-After", str(A_MINUTE))
        return response

    def process_view(
        self, request: HttpRequest, *_view: Any, **_arguments: Any
    ) -> HttpResponseBase | None:
        address = name_address(request)
        if not address:
            return None
        budget = budgets.find_budget(address)
        size = 0.0
        if request.method not in SAFE:
            length = _measure_body(request)
            largest = budgets.find_largest(budget)
            if length > largest:
                return _refuse_size(request, largest, is_file=budget is budgets.FILES)
            size = budget.weigh(length)
        elif not budget.computes:
            return None
        who = find_charged(request)
        if not who:
            return None
        least = 0.0 if budget.computes else WORTH_COUNTING
        request.charged = (who, least)  # type: ignore[attr-defined]
        try:
            budgets.charge(who, size=size, computes=budget.computes)
        except budgets.OverBudget as over:
            return refuse_for_now(request, over)
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        if isinstance(exception, budgets.OverBudget):
            return refuse_for_now(request, exception)
        return None


def _measure_body(request: HttpRequest) -> int:
    written = request.META.get("CONTENT_LENGTH") or ""
    # What comes in chunks the server reads as nothing.
    return int(written[:20]) if written.isdecimal() else 0


def find_charged(request: HttpRequest) -> str:
    """
    Name who pays: a person, by a session or by a token, or else a visitor's address.

    A program without a token that is in use is let in nowhere: of what it sends nothing is read.
    """
    if request.path_info.startswith(API):
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        token = tokens.find(secret.strip()) if scheme.lower() == "bearer" else None
        return budgets.name_person(token.person_id) if token else ""
    if isinstance(request.user, User):
        return budgets.name_person(request.user.pk)
    return f"address {_shorten(get_ip(request))}"


def _shorten(address: str) -> str:
    """Take the addresses of one household for one: there are 2 ** 64 of them."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return address[:60]
    return str(ipaddress.ip_network((read, 64 if read.version == 6 else 32), strict=False))


def refuse_for_now(request: HttpRequest, over: budgets.OverBudget) -> HttpResponseBase:
    headers = {"Retry-After": str(over.seconds)}
    title = _("Too many requests")
    return _answer(request, HTTPStatus.TOO_MANY_REQUESTS, title, str(over), headers)


def _refuse_size(request: HttpRequest, largest: int, *, is_file: bool) -> HttpResponseBase:
    why = _("What you sent is too large: at most %(size)s are taken at once.") % {
        "size": filesizeformat(largest)
    }
    if is_file:
        why = f"{why} {_('Compress the file with gzip, or split it.')}"
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return _answer(request, status, _("Too large"), why, {})


def _answer(
    request: HttpRequest, status: int, title: str, why: str, headers: dict[str, str]
) -> HttpResponseBase:
    """Answer as who asks reads it."""
    if request.path_info.startswith(API):
        is_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        kind = "too-large" if is_large else "too-many-requests"
        return say(status, kind, why, headers=headers)
    response: HttpResponseBase
    speaks_json = request.content_type == "application/json" or (
        budgets.find_budget(name_address(request)) is budgets.SAVES
    )
    if speaks_json:
        response = JsonResponse({"message": why}, status=status)
    else:
        is_part = request.headers.get("HX-Request") == "true"
        page = "_busy.html" if is_part else "429.html"
        response = render(request, page, {"title": title, "why": why}, status=status)
    for name, value in headers.items():
        response[name] = value
    return response
