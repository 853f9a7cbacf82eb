"""What changes each answer of a submission: a worker cancels its grading, goes on, tries again."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.answers import actions
from grading.answers.models import Attempt
from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.submissions import cancelling
from grading.submissions.cancelling import CannotCancel
from phybench.news.jobs.actions import begin
from phybench.news.jobs.kinds import Result
from phybench.news.jobs.models import Job
from phybench.people.models import User

CANCELLING, GOING_ON, TRYING_AGAIN = "cancel_grading", "go_on_grading", "try_grading_again"


def ask_to_cancel(*, submission: Submission, by: User) -> Job:
    return _begin(CANCELLING, _("Cancelling the grading of %(submission)s"), submission, by)


def cancel(job: Job) -> Result:
    submission = _find(job)
    count = cancelling.cancel(submission=submission, by=job.by)
    text = ngettext(
        "Cancelled: %(count)d answer is not graded.",
        "Cancelled: %(count)d answers are not graded.",
        count,
    )
    return Result(text % {"count": count}, job.leads_to)


def ask_to_go_on(*, submission: Submission, by: User) -> Job:
    return _begin(GOING_ON, _("Queuing the rest of %(submission)s"), submission, by)


def go_on(job: Job) -> Result:
    count = cancelling.go_on(submission=_find(job), by=job.by)
    text = ngettext("%(count)d answer is queued.", "%(count)d answers are queued.", count)
    return Result(text % {"count": count}, job.leads_to)


def ask_to_try_again(*, submission: Submission, by: User) -> Job:
    title = _("Queuing the ungraded answers of %(submission)s again")
    return _begin(TRYING_AGAIN, title, submission, by)


def try_again(job: Job) -> Result:
    failed = _find(job).attempts.filter(status=Attempt.Status.FAILED)
    count = actions.try_again(attempts=failed.only("priority"))
    text = ngettext(
        "%(count)d answer is queued again.", "%(count)d answers are queued again.", count
    )
    return Result(text % {"count": count}, job.leads_to)


def _begin(kind: str, title: str, submission: Submission, by: User) -> Job:
    return begin(
        kind,
        subject=submission.pk,
        by=by,
        title=title % {"submission": submission},
        back=submission.get_absolute_url(),
    )


def _find(job: Job) -> Submission:
    """Return a job's submission, as long as the person who began it may still see it."""
    found = list_submissions(job.by).filter(pk=job.subject).first()
    if found is None:
        raise CannotCancel(_("You can’t see this submission any more."))
    return found
