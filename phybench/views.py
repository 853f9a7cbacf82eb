"""Pages of nobody's app: languages, how grading works, what went wrong."""

import sys
from datetime import timedelta

from allauth.account.internal.flows.email_verification import send_verification_email_at_login
from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage, LoginStageController
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.defaults import server_error
from django.views.i18n import set_language

from phybench.pages.kept import for_everybody
from phybench.people.http import SCHEMES, MemberRequest
from phybench.people.middleware import API
from phybench.people.models import Language, User
from phybench.people.refusals import refuse
from phybench.work.health import look
from phybench.work.leases import is_database_away
from phybench_grader.authoring.rule_book import SIX_RULES

AWAY_SECONDS = 5
"""After which to ask again for what the database was away for: it takes a few to start."""


def fail(request: HttpRequest) -> HttpResponse:
    """Answer where an error was raised: it is ours, or the database is away and will be back."""
    if not is_database_away(sys.exc_info()[1]):
        return server_error(request)
    sentence = _(
        "The database does not answer at the moment. What was saved before is safe; what you just "
        "sent may not be saved. Try again in a few seconds."
    )
    # Not `request.htmx`, nor what the page is asked with: who they are is in the database.
    if request.path_info.startswith(API):
        answer = refuse(503, sentence)
    elif "application/json" in (request.content_type, request.headers.get("Accept")):
        answer = JsonResponse({"message": sentence}, status=503)
    elif "HX-Request" in request.headers:
        # `static/js/page.js` shows it, and asks again.
        answer = HttpResponse(sentence, status=503)
    else:
        answer = HttpResponse(render_to_string("503.html", {"sentence": sentence}), status=503)
    answer["Retry-After"] = str(AWAY_SECONDS)
    answer["Cache-Control"] = "no-store"
    return answer


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def confirmation_sent(request: HttpRequest) -> HttpResponse:
    """Say what is to be done until an address is confirmed; posted, send its e-mail again."""
    if request.method == "GET":
        return render(request, "account/verification_sent.html")
    stage = LoginStageController.enter(request, EmailVerificationStage.key)
    person = stage and stage.login.user
    if stage is None or (person and EmailAddress.objects.get_primary(person).verified):
        messages.info(request, _("Sign in. If your address is not confirmed yet, a link is sent."))
        return redirect("account_login")
    if not send_verification_email_at_login(request, stage.login):
        text = _("The last e-mail is less than three minutes old. Wait a little, then send again.")
        messages.info(request, text)
    return redirect("account_email_verification_sent")


@login_not_required
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Speak another language from now on, in this browser and, signed in, in every other."""
    chosen = request.POST.get("language", "")
    if isinstance(request.user, User) and chosen in dict(settings.LANGUAGES):
        request.user.interface_language = chosen
        request.user.save(update_fields=["interface_language"])
    # Django's own keeps it in a cookie, and leads back to where one was.
    return set_language(request)


@require_POST
def prefer_language(request: MemberRequest) -> HttpResponse:
    """Remember in which language somebody reads problems."""
    chosen = request.POST.get("problem_language", "")
    if chosen in Language:
        request.user.problem_language = chosen
        request.user.save(update_fields=["problem_language"])
        text = _("You see problems in %(language)s now, where there is a checked translation.")
        messages.success(request, text % {"language": Language(chosen).label})
    return _lead_back(request)


@login_not_required
@require_POST
def choose_scheme(request: HttpRequest) -> HttpResponse:
    """Show pages light or dark from now on, in this browser; or again as its system says."""
    answer = _lead_back(request)
    chosen = request.POST.get("scheme", "")
    if chosen in SCHEMES:
        answer.set_cookie(
            "scheme",
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie("scheme", samesite="Lax")
    return answer


def _lead_back(request: HttpRequest) -> HttpResponse:
    """Lead to the page that something was chosen on, and nowhere else on the web."""
    back = request.POST.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    # What is no path would be taken for the name of an address.
    return redirect(back if is_safe and back.startswith("/") else "home")


@for_everybody
def how_grading_works(request: HttpRequest) -> HttpResponse:
    return render(request, "phybench/how_grading_works.html", {"rules": SIX_RULES})


@login_not_required
@require_GET
def live(request: HttpRequest) -> HttpResponse:
    """Say that this server answers; it asks nobody else."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_GET
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether all is there that people need, or what is not; docs/deploy.md says it too."""
    health = look()
    status = "not ready" if health.faults else "ok"
    seconds = {name: value and round(value, 1) for name, value in health.figures.items()}
    said = {"status": status, "faults": health.faults, "seconds": seconds}
    return JsonResponse(said, status=503 if health.faults else 200)


@login_not_required
@require_GET
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Let search engines read boards, and not each way to sort or compare them."""
    lines = ("User-agent: *", *(f"Disallow: {one}" for one in ("/*?", "/accounts/", "/api/")))
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@login_not_required
@require_GET
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say where faults of security are reported (RFC 9116); 404 where the site names nobody."""
    contact = settings.SECURITY_CONTACT
    if not contact:
        raise Http404
    scheme = "" if ":" in contact else "mailto:"
    expires = (timezone.now() + timedelta(days=180)).strftime("%Y-%m-%dT00:00:00Z")
    text = f"Contact: {scheme}{contact}\nExpires: {expires}\nPreferred-Languages: en, zh\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
