"""
The demo's people, as whom somebody may sign in by one click who tries the demo on this machine.

Behind a proxy each visitor comes from this machine too. So all has to be so: `dev.py run` made the
demo, its address is of this machine and so is the one that was asked, and nothing was forwarded.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from phybench.people.models import User, UserQuerySet

OF_THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]"}
FORWARDED = (
    *("Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host"),
    *("X-Forwarded-Proto", "X-Forwarded-Server", "X-Forwarded-Port"),
)
"""What proxies add."""


def list_demo_people() -> UserQuerySet:
    """List the demo's people, in the order in which they were made, but for simulated ones."""
    people = User.objects.get_queryset().filter(is_demo=True, is_active=True).order_by("pk")
    return people.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)


def offers_demo_people(request: HttpRequest) -> bool:
    """Say whether this is the demo on somebody's own machine, and they ask from there."""
    if not (settings.WITH_DEMO and settings.RUN_BY_DEV_PY):
        return False
    hosts = urlsplit(settings.SITE_URL).netloc, request.get_host()
    if any(split_domain_port(host)[0] not in OF_THIS_MACHINE for host in hosts):
        return False
    try:
        is_from_here = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    return is_from_here and not any(name in request.headers for name in FORWARDED)


@login_not_required
@require_POST
def sign_in_as(request: HttpRequest, pk: int) -> HttpResponse:
    if not offers_demo_people(request):
        raise Http404
    login(
        request,
        get_object_or_404(list_demo_people(), pk=pk),
        backend=settings.AUTHENTICATION_BACKENDS[0],
    )
    return redirect("home")
