"""Who runs judges, and on what."""

from django.db.models import Q, QuerySet

from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.judging.models import JudgeFile, JudgeRun, JudgeRunQuerySet
from grading.solvers.models import Organisation
from grading.solvers.permissions import judges, list_hand_in_for
from phybench.people.models import Role, User


def may_run(user: User, submission: Submission) -> bool:
    """Whether `user` may have a submission judged: its organisation's, or an admin."""
    return judges(user) and list_submissions(user).filter(pk=submission.pk).exists()


def list_runs(user: User) -> JudgeRunQuerySet:
    """Return the runs that `user` may see: on what they may see; all of them for an admin."""
    found = JudgeRun.objects.select_related(
        "submission__solver", "other__solver", "file", "configuration", "started_by"
    ).defer("file__content")
    if user.has_role(Role.ADMIN):
        return found
    # Both of a pair: an admin may compare with what others handed in.
    theirs = Organisation.objects.of(user)
    both = Q(other=None) | Q(other__solver__organisation__in=theirs)
    of_submissions = both & Q(submission__solver__organisation__in=theirs)
    return found.filter(of_submissions | Q(file__organisation__in=theirs))


def may_go_on(user: User, run: JudgeRun) -> bool:
    """Whether `user` may pause a run, have gone on with it, or cancel it."""
    return judges(user) and list_runs(user).filter(pk=run.pk).exists()


def list_judge_files(user: User) -> QuerySet[JudgeFile]:
    """Return the files that `user` may have judged: their organisations'; all for an admin."""
    found = JudgeFile.objects.select_related("organisation", "uploaded_by").defer("content")
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(organisation__in=list_hand_in_for(user))


def may_run_on_file(user: User, file: JudgeFile) -> bool:
    return judges(user) and list_judge_files(user).filter(pk=file.pk).exists()
