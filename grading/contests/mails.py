"""Tell who contested a grade, by e-mail, that there is a ruling."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from grading import permissions
from grading.contests.models import OutcomeMail
from grading.contests.outcomes import say, tell_why
from phybench.languages import in_language_of
from phybench.work.mailing import deliver, fail


def send(mail: OutcomeMail) -> None:
    """Send a claimed e-mail; what fails is tried again a few times."""
    person = mail.contest.contested_by
    if not person.is_active:
        fail(mail, _("This person may not sign in any more."))
    elif not permissions.list_own_contests(person).filter(pk=mail.contest_id).exists():
        fail(mail, _("This person may not see the answer any more."))
    else:
        deliver(mail, write(mail))


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
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("The grade that you contested was ruled on"),
            render_to_string("grading/contest_ruled.txt", context),
            to=[person.email],
        )
