"""Who may have answers judged, run models, and rule on what judges said."""

from django.db.models import Q, QuerySet

from curation.problems.models import Problem
from grading.answers.models import Attempt, AttemptQuerySet
from grading.judging.labels.models import LabelFile
from grading.judging.prompts.models import JudgePrompt
from grading.judging.rulings.models import Ruling
from grading.judging.runs.models import JudgeRun, JudgeRunQuerySet
from grading.judging.uploads.models import JudgeFile
from grading.model_runs.models import ModelRun, ModelRunQuerySet
from grading.permissions.answers import list_submissions
from grading.permissions.solvers import judges, list_hand_in_for
from grading.solvers.models import (
    Organisation,
)
from grading.submissions.models import Submission
from phybench.models import Role, User

# --- Runs of judges --------------------------------------------------------------------------


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


def list_judge_files(user: User) -> QuerySet[JudgeFile]:
    """Return the files that `user` may have judged: their organisations'; all for an admin."""
    found = JudgeFile.objects.select_related("organisation", "uploaded_by").defer("content")
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(organisation__in=list_hand_in_for(user))


def may_run_on_file(user: User, file: JudgeFile) -> bool:
    return judges(user) and list_judge_files(user).filter(pk=file.pk).exists()


def may_go_on(user: User, run: JudgeRun) -> bool:
    """Whether `user` may pause a run, have gone on with it, or cancel it."""
    return judges(user) and list_runs(user).filter(pk=run.pk).exists()


def can_release(user: User, prompt: JudgePrompt) -> bool:
    """Whether `user` may let a prompt be used: whoever writes it can have the key told."""
    return releases_prompts(user) and not prompt.is_usable


def releases_prompts(user: User) -> bool:
    """Whether `user` lets prompts be used; of those they bring none waits."""
    return user.has_role(Role.ADMIN)


# --- Runs of models --------------------------------------------------------------------------


def list_model_runs(user: User) -> ModelRunQuerySet:
    """Return the runs of models that `user` may see: their organisations'; all for an admin."""
    found = ModelRun.objects.select_related(
        "organisation", "version__benchmark", "endpoint", "started_by", "file__draft"
    )
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(organisation__in=list_hand_in_for(user))


def may_steer(user: User, run: ModelRun) -> bool:
    """Whether `user` may pause a run of a model, go on with it, or cancel it."""
    return judges(user) and list_model_runs(user).filter(pk=run.pk).exists()


# --- Rulings and labels ----------------------------------------------------------------------


def list_rulable(user: User) -> AttemptQuerySet:
    """
    Return the answers that `user` may rule on, whether or not they wait for it.

    To rule one has to see the reference: an admin does, and an evaluator where they write the
    problem. Nobody but an admin rules on what their own organisation handed in.
    """
    found = Attempt.objects.filter(submission__isnull=False)
    if user.has_role(Role.ADMIN):
        return found
    if not user.has_role(Role.EVALUATOR):
        return found.none()
    theirs = Problem.objects.of(user)
    # Who handed it in and left since is none to rule on it either.
    return (
        found.filter(revision__problem__in=theirs)
        .exclude(submission__uploaded_by=user)
        .exclude(submission__solver__organisation__in=Organisation.objects.of(user))
    )


def can_rule(user: User, attempt: Attempt) -> bool:
    return list_rulable(user).filter(pk=attempt.pk).exists()


def list_rulings(user: User) -> QuerySet[Ruling]:
    """Return the rulings that `user` gave, and the labels they brought; everybody's for admins."""
    found = Ruling.objects.select_related("attempt__revision__problem", "ruled_by", "label_file")
    return found if user.has_role(Role.ADMIN) else found.filter(ruled_by=user)


def list_label_files(user: User) -> QuerySet[LabelFile]:
    """Return the files that `user` brought; everybody's for an admin."""
    found = LabelFile.objects.select_related("brought_by")
    return found if user.has_role(Role.ADMIN) else found.filter(brought_by=user)


def can_take_labels(user: User, file: LabelFile) -> bool:
    """Whether `user` may take a file's labels: who brought it answers for where they come from."""
    return file.brought_by_id == user.pk
