"""Who may do and see what of answers and their judging. One place; views and actions ask here."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from curation import permissions as of_curation
from curation.problems.models import Problem, ProblemQuerySet
from grading.answers.models import Attempt, AttemptQuerySet, Grade, Submission, VerdictChoice
from grading.judging.labels.models import LabelFile
from grading.judging.prompts.models import JudgePrompt
from grading.judging.rulings.models import Ruling
from grading.judging.runs.models import JudgeRun, JudgeRunQuerySet
from phybench.models import Role, User

# --- Answers --------------------------------------------------------------------------------


def list_submissions(user: User) -> QuerySet[Submission]:
    """Return the submissions that `user` may see: their own; all of them for an admin."""
    found = Submission.objects.select_related("solver", "benchmark", "uploaded_by")
    return found if user.has_role(Role.ADMIN) else found.filter(uploaded_by=user)


def can_withdraw(user: User, submission: Submission) -> bool:
    return list_submissions(user).filter(pk=submission.pk).exists()


def list_attempts(user: User) -> AttemptQuerySet:
    """Return the attempts that `user` handed in or gave; all of them for an admin."""
    found = Attempt.objects.all()
    if user.has_role(Role.ADMIN):
        return found
    return found.filter(Q(submission__uploaded_by=user) | Q(solver__user=user))


def list_own_answers(user: User) -> AttemptQuerySet:
    """Return what `user` answered for the human baseline."""
    return Attempt.objects.filter(solver__user=user, submission=None)


def tells_key(user: User, attempt: Attempt, grades: Iterable[Grade]) -> bool:
    """Whether this is another solver's answer, and correct: then it is as good as the key."""
    is_own = attempt.solver.user_id == user.pk
    return not is_own and any(grade.verdict == VerdictChoice.CORRECT for grade in grades)


# --- Runs of judges -------------------------------------------------------------------------


def may_run(user: User, submission: Submission) -> bool:
    """Whether `user` may have a submission judged: who handed it in, or an admin."""
    return _judges(user) and list_submissions(user).filter(pk=submission.pk).exists()


def list_runs(user: User) -> JudgeRunQuerySet:
    """Return the runs that `user` may see: on their own submissions; all of them for an admin."""
    found = JudgeRun.objects.select_related(
        "submission__solver", "other__solver", "configuration", "started_by"
    )
    if user.has_role(Role.ADMIN):
        return found
    # Both of a pair: an admin may compare with what somebody else handed in.
    both = Q(other=None) | Q(other__uploaded_by=user)
    return found.filter(both, submission__uploaded_by=user)


def may_go_on(user: User, run: JudgeRun) -> bool:
    """Whether `user` may pause a run, have gone on with it, or cancel it."""
    return _judges(user) and list_runs(user).filter(pk=run.pk).exists()


def _judges(user: User) -> bool:
    return user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)


def can_release(user: User, prompt: JudgePrompt) -> bool:
    """Whether `user` may let a prompt be used: whoever writes it can have the key told."""
    return releases_prompts(user) and not prompt.is_usable


def releases_prompts(user: User) -> bool:
    """Whether `user` lets prompts be used; of those they bring none waits."""
    return user.has_role(Role.ADMIN)


# --- Rulings and labels ---------------------------------------------------------------------


def list_rulable(user: User) -> AttemptQuerySet:
    """
    Return the answers that `user` may rule on, whether or not they wait for it.

    To rule one has to see the reference: an admin does, and an evaluator where they write the
    problem. Nobody but an admin rules on what they handed in themselves.
    """
    found = Attempt.objects.filter(submission__isnull=False)
    if user.has_role(Role.ADMIN):
        return found
    if not user.has_role(Role.EVALUATOR):
        return found.none()
    theirs = Problem.objects.of(user)
    return found.filter(revision__problem__in=theirs).exclude(submission__uploaded_by=user)


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


# --- Trials ---------------------------------------------------------------------------------


def list_tried(user: User) -> ProblemQuerySet:
    """Return the problems whose trials `user` may see: their own; all of them for an admin."""
    return of_curation.list_in_charge(user)


def may_try(user: User, problem: Problem) -> bool:
    """Whether `user` may send this problem to models: who may open it in the editor."""
    return user.has_role(Role.CONTRIBUTOR) and of_curation.can_edit(user, problem)


def keeps_endpoints(user: User) -> bool:
    """Whether `user` looks after endpoints, and so reads what a provider says of itself."""
    return user.has_role(Role.ADMIN)
