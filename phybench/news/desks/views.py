"""The inbox, and saying that one has read one's news."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_POST

from phybench.news.desks.desks import count_waiting, mark_read, read_inbox
from phybench.people.http import MemberRequest


@require_GET
def inbox(request: MemberRequest) -> HttpResponse:
    """Show what waits for the viewer, of all benchmarks."""
    context = {
        # What happens while this is read is not read with it.
        "as_of": timezone.now().isoformat(),
        "inbox": read_inbox(request.user),
    }
    return render(request, "phybench/inbox.html", context)


@require_GET
def show_count(request: MemberRequest) -> HttpResponse:
    """Tell the header how much waits, once a page is there: to count it takes longer than most."""
    return HttpResponse(count_waiting(request.user) or "")


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
