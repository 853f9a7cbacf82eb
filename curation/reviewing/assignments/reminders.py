"""Remind reviewers by e-mail, once a day at most, of what is new, due soon or overdue."""

import logging
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation import permissions
from curation.reviewing.assignments.models import Assignment, Digest
from phybench.languages import in_language_of
from phybench.models import User

logger = logging.getLogger(__name__)

SOON = timedelta(days=3)
_SIGNER = signing.Signer(salt="curation.reminding")


@dataclass(slots=True)
class Due:
    """What somebody is assigned, by how pressing it is."""

    overdue: list[Assignment] = field(default_factory=list)
    soon: list[Assignment] = field(default_factory=list)
    new: list[Assignment] = field(default_factory=list)
    """Assigned since the last e-mail, and neither of those above."""
    others: list[Assignment] = field(default_factory=list)

    @property
    def is_worth_a_mail(self) -> bool:
        return bool(self.overdue or self.soon or self.new)

    def say(self) -> str:
        """Say in a sentence or two how much there is and what presses; "" where there is none."""
        count = sum(map(len, (self.overdue, self.soon, self.new, self.others)))
        if not count:
            return ""
        said = [
            ngettext(
                "One review is assigned to you.", "%(count)d reviews are assigned to you.", count
            )
            % {"count": count}
        ]
        if late := len(self.overdue):
            text = ngettext("One is overdue.", "%(count)d are overdue.", late)
            said.append(text % {"count": late})
        if soon := len(self.soon):
            text = ngettext(
                "One is due within three days.", "%(count)d are due within three days.", soon
            )
            said.append(text % {"count": soon})
        return " ".join(said)


def list_due(person: User, now: datetime, since: datetime | None = None) -> Due:
    """Sort a person's open assignments; what came after `since` is new, all where it is None."""
    due = Due()
    found = person.assignments.open().select_related(
        "round__revision__problem", "round__version", "assigned_by"
    )
    for assignment in found.order_by("due_at", "pk"):
        if assignment.due_at and assignment.due_at < now:
            due.overdue.append(assignment)
        elif assignment.due_at and assignment.due_at < now + SOON:
            due.soon.append(assignment)
        elif since is None or assignment.assigned_at > since:
            due.new.append(assignment)
        else:
            due.others.append(assignment)
    return due


def send_all(now: datetime) -> int:
    """Send today's reminders to whoever has not had them; return how many went."""
    if now.hour < settings.DIGEST_FROM_HOUR:
        return 0
    waiting = (
        permissions.list_reviewers()
        .filter(wants_digest=True, assignments__state=Assignment.State.OPEN)
        .exclude(digests__day=now.date())
        .distinct()
    )
    return sum(send(person, now) for person in waiting)


def send(person: User, now: datetime) -> bool:
    """Send one person's reminder, unless there is nothing to say or another worker does."""
    last = person.digests.filter(sent_at__isnull=False).order_by("day").last()
    due = list_due(person, now, since=last.sent_at if last else None)
    if not due.is_worth_a_mail or not _claim(person, now.date()):
        return False
    try:
        _write(person, due).send()
    except OSError:
        # It may have gone out: not to write at all today is better than to write twice.
        logger.exception("the reminder of person %d could not be sent", person.pk)
        return False
    # As of when it was written: what was assigned since is new in the next.
    Digest.objects.filter(person=person, day=now.date()).update(sent_at=now)
    return True


def _claim(person: User, day: date) -> bool:
    """Take the one e-mail of a person's day; False where it is taken."""
    _digest, is_ours = Digest.objects.get_or_create(person=person, day=day)
    return is_ours


def _write(person: User, due: Due) -> EmailMessage:
    """Write the e-mail in the language that the person chose for the pages."""
    with in_language_of(person):
        off = settings.SITE_URL + reverse("curation:reminders_off", args=[sign(person)])
        context = {"person": person, "due": due, "off": off, "site": settings.SITE_URL}
        return EmailMessage(
            _say_subject(due),
            render_to_string("curation/digest.txt", context),
            to=[person.email],
            headers={
                "List-Unsubscribe": f"<{off}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )


def _say_subject(due: Due) -> str:
    parts = []
    if count := len(due.overdue):
        parts.append(ngettext("%(count)d overdue", "%(count)d overdue", count) % {"count": count})
    if count := len(due.soon):
        text = ngettext("%(count)d due soon", "%(count)d due soon", count)
        parts.append(text % {"count": count})
    if count := len(due.new):
        parts.append(ngettext("%(count)d new", "%(count)d new", count) % {"count": count})
    return _("Your reviews: %(counts)s") % {"counts": ", ".join(parts)}


def sign(person: User) -> str:
    """Return what lets whoever holds it switch this person's reminders off, and nothing else."""
    return _SIGNER.sign(str(person.pk))


def read_signed(token: str) -> User | None:
    """Return whose reminders a signed link is about, or None where it is not one of ours."""
    try:
        return User.objects.filter(pk=int(_SIGNER.unsign(token)), is_active=True).first()
    except (signing.BadSignature, ValueError):
        return None


def switch_off(person: User) -> None:
    User.objects.filter(pk=person.pk).update(wants_digest=False)
