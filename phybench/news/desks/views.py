"""Home, and saying that one has read one's news."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_POST

from phybench.news.desks.desks import list_desks, mark_read
from phybench.people.http import MemberRequest
from phybench.people.models import WHAT_A_ROLE_DOES


@require_GET
def home(request: MemberRequest) -> HttpResponse:
    """Show what waits for the viewer in each role they hold."""
    context = {
        # What happens while this is read is not read with it.
        "as_of": timezone.now().isoformat(),
        "desks": list_desks(request.user),
        "all_roles": WHAT_A_ROLE_DOES.items(),
    }
    return render(request, "phybench/home.html", context)


@require_POST
def read_news(request: MemberRequest) -> HttpResponse:
    """Mark the news as read that the page showed; a time that can’t be read marks nothing."""
    try:
        until = parse_datetime(request.POST.get("until", "")[:40])
    except ValueError:
        until = None
    if until and timezone.is_aware(until):
        mark_read(request.user, until)
    return redirect("home")
