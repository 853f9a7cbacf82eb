"""Ask for a notice, and send one."""

import hashlib
import hmac
import json
import logging

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.endpoints import BadURL, BaseURL, Egress, EndpointError
from grading.endpoints.wire import Call, Deadline, Limits, Route
from grading.submissions.drafts.models import Draft
from grading.submissions.notices.models import Notice
from grading.submissions.notices.news import GRADED
from phybench.news.mails.choosing import link_off, wants
from phybench.pages.api.refused import Refused
from phybench.people.languages import in_language_of
from phybench.people.models import User
from phybench.work.mailing import fail, put_off

logger = logging.getLogger(__name__)

LIMITS = Limits(total=15.0, connect=5.0, silence=10.0, largest=64 * 1024)


class BadAddress(Refused):
    """An address that no webhook is sent to; the message says what to do."""

    status = 422
    kind = "bad-webhook"


def check_address(address: str) -> None:
    """
    Refuse what is no address of a webhook.

    Which network it is in is seen when it is connected to: names can point elsewhere by then.

    Raises:
        BadAddress: it is none.
    """
    try:
        url = BaseURL.parse(address)
    except BadURL as why:
        raise BadAddress(str(why)) from None
    if url.scheme != "https" and _egress().explain_refusal(url.host, encrypted=False):
        raise BadAddress(_("Write an address that begins with https://."))


def ask(*, draft: Draft, by: User, mail: bool = False, webhook: str = "") -> list[Notice]:
    """
    Have somebody told once a draft is graded; asked twice, they are told once.

    Raises:
        BadAddress: see `check_address`.
    """
    if webhook:
        check_address(webhook)
    ways = [(Notice.Way.MAIL, "")] if mail else []
    ways += [(Notice.Way.WEBHOOK, webhook)] if webhook else []
    return [
        Notice.objects.get_or_create(
            draft=draft, way=way, defaults={"person": by, "address": address}
        )[0]
        for way, address in ways
    ]


def send(notice: Notice) -> None:
    """Send a claimed notice; what fails is tried again a few times."""
    if not notice.person.is_active:
        # Neither their mailbox nor their server is to learn any more from here.
        fail(notice, _("This person may not sign in any more."))
        return
    if notice.way == Notice.Way.MAIL and not wants(notice.person, GRADED):
        fail(notice, _("This person wants no e-mails of this kind."))
        return
    try:
        if notice.way == Notice.Way.MAIL:
            write_mail(notice).send()
        else:
            _post(notice)
    except (OSError, EndpointError, BadURL) as why:
        put_off(notice, _say(why))
    else:
        notice.settle(sent_at=timezone.now(), failure="")


def _say(why: Exception) -> str:
    if isinstance(why, EndpointError):
        return f"{why.reason.value}: {why.detail}" if why.detail else why.reason.value
    return str(why)


def write_mail(notice: Notice) -> EmailMessage:
    person = notice.person
    with in_language_of(person):
        context = {
            "person": person,
            "submissions": list_submissions(notice),
            "site": settings.SITE_URL,
            "choose": settings.SITE_URL + reverse("profile") + "?tab=e-mails",
            "off": (off := link_off(person, [GRADED])),
        }
        return EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("Your answers are graded"),
            render_to_string("grading/graded.txt", context),
            to=[person.email],
            headers={
                "List-Unsubscribe": f"<{off}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )


def list_submissions(notice: Notice) -> list[Submission]:
    return list(
        Submission.objects.filter(made_from__draft=notice.draft_id)
        .select_related("solver", "benchmark")
        .order_by("pk")
    )


def write_message(notice: Notice) -> bytes:
    """Say what is graded and where to look: no verdict leaves by a webhook."""
    failed = Attempt.objects.filter(
        submission__made_from__draft=notice.draft_id, status=Attempt.Status.FAILED
    ).exists()
    said = {
        "event": "graded",
        "notice": notice.pk,
        "draft": notice.draft_id,
        "is_complete": not failed,
        "submissions": [
            {
                "id": one.pk,
                "model": one.solver.name,
                "number": one.number,
                "url": settings.SITE_URL + reverse("api:submission", args=[one.pk]),
            }
            for one in list_submissions(notice)
        ],
    }
    return json.dumps(said).encode()


def find_secret(notice: Notice) -> str:
    """Return what a webhook is signed with; it is kept nowhere, as it follows from the settings."""
    return salted_hmac("grading.notices", str(notice.pk), algorithm="sha256").hexdigest()


def sign(notice: Notice, content: bytes) -> str:
    key = find_secret(notice).encode()
    return "sha256=" + hmac.new(key, content, hashlib.sha256).hexdigest()


def _egress() -> Egress:
    return Egress.parse(settings.WEBHOOK_EGRESS_ALLOW)


def _post(notice: Notice) -> None:
    base = BaseURL.parse(notice.address)
    content = write_message(notice)
    headers = {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "connection": "close",
        "user-agent": "phybench-curation",
        "x-phybench-signature": sign(notice, content),
        "x-phybench-notice": str(notice.pk),
    }
    # A base URL has no slash at its end; this is a whole address.
    path = "/" if notice.address.endswith("/") or not base.path else ""
    route = Route(base, _egress(), LIMITS)
    received = route.fetch(Call("POST", path, headers, content), Deadline(LIMITS.total))
    if not 200 <= received.status < 300:
        raise OSError(
            _("The server answered with status %(status)d.") % {"status": received.status}
        )
