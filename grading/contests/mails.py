"""Tell who contested a grade, by e-mail, that there is a ruling."""

from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from grading import permissions
from grading.contests.models import OutcomeMail
from grading.contests.outcomes import say, tell_why
from phybench.languages import in_language_of

MOST_TRIES = 5
FIRST_PAUSE = timedelta(seconds=30)
"""Before the second try; each pause is four times as long as the one before."""


def send(mail: OutcomeMail) -> None:
    """Send a claimed e-mail; what fails is tried again a few times."""
    person = mail.contest.contested_by
    if not person.is_active:
        mail.settle(failed_at=timezone.now(), failure=_("This person can no longer sign in."))
        return
    if not permissions.list_own_contests(person).filter(pk=mail.contest_id).exists():
        why = _("This person can no longer see the answer.")
        mail.settle(failed_at=timezone.now(), failure=why)
        return
    try:
        write(mail).send()
    except OSError as why:
        _put_off(mail, str(why))
    else:
        mail.settle(sent_at=timezone.now(), failure="")


def _put_off(mail: OutcomeMail, why: str) -> None:
    if mail.tries >= MOST_TRIES:
        mail.settle(failed_at=timezone.now(), failure=why)
        return
    pause = FIRST_PAUSE * 4 ** (mail.tries - 1)
    mail.settle(next_at=timezone.now() + pause, failure=why)


def give_up(mail: OutcomeMail) -> None:
    mail.settle(
        failed_at=timezone.now(), failure=mail.failure or _("The worker stopped while sending it.")
    )


def write(mail: OutcomeMail) -> EmailMessage:
    """Write it as to somebody who may not see the key: mail is kept by others."""
    contest = mail.contest
    person = contest.contested_by
    with in_language_of(person):
        context = {
            "person": person,
            "problem": contest.attempt.revision.problem,
            "said": say(contest),
            "why": tell_why(contest),
            "address": settings.SITE_URL + contest.attempt.get_absolute_url(),
        }
        return EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX
            + _("There is a ruling on the grade that you contested"),
            render_to_string("grading/contest_ruled.txt", context),
            to=[person.email],
        )
