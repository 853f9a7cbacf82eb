"""Ask for e-mails about a study, and send one."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.studies.letters.models import Letter, LettersOff
from grading.studies.letters.news import STUDIES
from grading.studies.models import Invitation, Participation, Study
from grading.studies.permissions import runs_studies
from phybench.news.mails.choosing import link_off, wants
from phybench.people.languages import in_language_of
from phybench.people.models import User
from phybench.work.mailing import deliver, fail
from phybench.work.models import Priority

A_DAY = timedelta(days=1)
BEFORE_THE_END = timedelta(days=2)
"""So long before the last day people are reminded without being asked to."""


@transaction.atomic
def invite(study: Study) -> list[Letter]:
    """Write to those on the list of an open study; nobody is invited twice."""
    if study.state != Study.State.OPEN:
        return []
    # The demo's people have no mailbox.
    listed = study.invitations.filter(person__is_demo=False).values_list("person", flat=True)
    return _write(study, Letter.Kind.INVITATION, listed)


def list_to_remind(study: Study) -> QuerySet[User]:
    """
    List whom a reminder is for: those on the list who have not joined, and who has not started.

    Not who wants none, nor who was written to in the last day, nor whoever has withdrawn.
    """
    recent = Letter.objects.filter(
        study=study, person=OuterRef("pk"), made_at__gt=timezone.now() - A_DAY
    )
    joined = Participation.objects.filter(study=study, person=OuterRef("pk"))
    listed = Invitation.objects.filter(study=study, person=OuterRef("pk"))
    off = LettersOff.objects.filter(study=study, person=OuterRef("pk"))
    waits = Q(Exists(joined.filter(session=None))) | (Q(Exists(listed)) & ~Q(Exists(joined)))
    if not Study.objects.accessible().filter(pk=study.pk).exists():
        return User.objects.none()
    found = User.objects.filter(waits, ~Exists(off), ~Exists(recent), is_active=True, is_demo=False)
    return found.order_by("pk")


@transaction.atomic
def remind(*, study: Study, by: User | None = None) -> int:
    """
    Write to those who have not started; return how many they are.

    Args:
        by: the admin who asks for it; None where it is the clock.

    Raises:
        PermissionDenied: `by` runs no studies.
    """
    if by is not None and not runs_studies(by):
        raise PermissionDenied(_("Only admins run studies."))
    # One after the other, so that two clicks write once.
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    people = list_to_remind(study).values_list("pk", flat=True)
    return len(_write(study, Letter.Kind.REMINDER, people))


def remind_before_the_end() -> int:
    """Write once to those who have not started of each study that closes soon."""
    soon = timezone.now() + BEFORE_THE_END
    closing = Study.objects.accessible().filter(closes_at__lte=soon)
    reminded = Letter.objects.filter(
        study=OuterRef("pk"),
        kind=Letter.Kind.REMINDER,
        made_at__gte=OuterRef("closes_at") - BEFORE_THE_END,
    )
    return sum(remind(study=study) for study in closing.filter(~Exists(reminded)))


@transaction.atomic
def send_again(*, study: Study, by: User) -> int:
    """
    Queue anew what could not be sent; return how many letters that is.

    Raises:
        PermissionDenied: `by` runs no studies.
    """
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins run studies."))
    failed = Letter.objects.failed().filter(study=study)
    return failed.update(failed_at=None, failure="", tries=0, lost=0, next_at=None)


@transaction.atomic
def switch_off(*, study: Study, person: User) -> None:
    """Write no more to somebody about a study."""
    LettersOff.objects.get_or_create(study=study, person=person)


def _write(study: Study, kind: Letter.Kind, people: Iterable[int]) -> list[Letter]:
    rows = [
        Letter(study=study, person_id=pk, kind=kind, priority=Priority.BULK.value) for pk in people
    ]
    return Letter.objects.bulk_create(rows, ignore_conflicts=True)


def send(letter: Letter) -> None:
    """Send a claimed letter, if there is still a reason to; what fails is tried a few times."""
    if why := find_obstacle(letter):
        fail(letter, why)
    else:
        deliver(letter, write_mail(letter))


def find_obstacle(letter: Letter) -> str:
    """Say why a letter is not to be sent any more, or "" where it is."""
    if letter.study.state != Study.State.OPEN:
        return _("The study is not open any more.")
    if LettersOff.objects.filter(study=letter.study, person=letter.person).exists():
        return _("This person wants no e-mails about the study.")
    if not wants(letter.person, STUDIES):
        return _("This person wants no e-mails about studies.")
    if not letter.person.is_active:
        return _("This account is not active.")
    own = Participation.objects.filter(study=letter.study, person=letter.person)
    if own.filter(session__isnull=False).exists():
        return _("This person has started meanwhile.")
    listed = Invitation.objects.filter(study=letter.study, person=letter.person)
    if not own.exists() and not listed.exists():
        return _("This person is not on the list any more.")
    return ""


def write_mail(letter: Letter) -> EmailMessage:
    study, person = letter.study, letter.person
    with in_language_of(person):
        is_reminder = letter.kind == Letter.Kind.REMINDER
        subject = _("Reminder: %(study)s") if is_reminder else _("You are invited: %(study)s")
        context = {
            "person": person,
            "study": study,
            "is_reminder": is_reminder,
            "join": settings.SITE_URL + reverse("grading:join", args=[study.pk]),
            "off": settings.SITE_URL + reverse("grading:letters_off", args=[study.pk]),
            "stop": (stop := link_off(person, [STUDIES])),
        }
        # A header has one line: Django sends no other.
        subject = " ".join((subject % {"study": study.title}).split())
        return EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + subject,
            render_to_string("grading/study_letter.txt", context),
            to=[person.email],
            headers={
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            },
        )
