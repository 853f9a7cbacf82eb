"""Choose which e-mails one wants, and stop some of them by the link in each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from phybench.news.mails.choosing import choose, read_link
from phybench.news.mails.forms import MailForm
from phybench.news.mails.models import When
from phybench.people.http import MemberRequest


@require_http_methods(["GET", "POST"])
def choose_mails(request: MemberRequest) -> HttpResponse:
    form = MailForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        choose(request.user, form.list_chosen())
        messages.success(request, _("Saved."))
        return redirect(reverse("profile") + "?tab=e-mails")
    return render(request, "phybench/mails.html", {"form": form})


@login_not_required
# A mail program sends this, which has no token of a form; the link is signed.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the e-mails that a signed link is about; to open the link changes nothing."""
    found = read_link(token)
    if found is None:
        raise Http404
    person, kinds = found
    if request.method == "POST":
        choose(person, [(kind, When.NEVER) for kind in kinds])
    context = {"kinds": kinds, "is_off": request.method == "POST"}
    return render(request, "phybench/stop_mails.html", context)
