"""Who may write a problem, read it, see its key, and answer it."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.exposures.models import Exposure, has_seen_key
from curation.permissions.closed import list_closed
from curation.permissions.people import (
    Interests,
    can_name,
    had_part,
    is_in_charge,
    is_translator,
    is_writer,
    list_foreign,
)
from curation.problems.models import Problem, ProblemQuerySet, Revision, RevisionQuerySet
from curation.versions.models import BenchmarkVersion, VersionItem
from curation.workflow import Status
from phybench.models import Role, User

# --- Writing --------------------------------------------------------------------------------


def can_edit(user: User, problem: Problem) -> bool:
    """Whether `user` may change it now: what `list_to_write` has, while it can be edited."""
    return problem.is_editable and (is_writer(user, problem) or can_correct(user, problem))


def can_correct(user: User, problem: Problem) -> bool:
    """Whether `user` may write a correction for its author, whom not every problem has."""
    return user.has_role(Role.ADMIN) and problem.is_in_correction


def list_to_write(user: User) -> ProblemQuerySet:
    """Return all problems that `user` writes: their own, and what an admin may correct."""
    if not user.has_role(Role.ADMIN):
        return Problem.objects.of(user)
    in_correction = Q(accepted_revision__isnull=False, status=Status.RETURNED)
    return Problem.objects.filter(in_correction | Q(pk__in=Problem.objects.of(user).values("pk")))


def can_submit(user: User, problem: Problem) -> bool:
    """Whether `user` may submit it: its author alone, but for a correction."""
    return can_name(user, problem) or (problem.is_editable and can_correct(user, problem))


def can_withdraw(user: User, problem: Problem) -> bool:
    return problem.author_id == user.pk and problem.status == Status.IN_REVIEW


def can_delete(user: User, problem: Problem) -> bool:
    """Whether this is a draft of the user's own; `delete_draft` asks the database the rest."""
    return problem.author_id == user.pk and problem.status == Status.DRAFT


def can_reopen(user: User, problem: Problem) -> bool:
    """Whether `user` may give a rejected problem back to its author: an admin without a part."""
    if not user.has_role(Role.ADMIN) or problem.status != Status.REJECTED:
        return False
    interests = Interests({problem.pk}, [user])
    return not interests.had_part(problem, user) and not interests.has_conflict(problem, user)


def can_start_again(user: User, problem: Problem) -> bool:
    """Whether `user` may begin a new problem with the text of this one: its own author."""
    return (
        user.has_role(Role.CONTRIBUTOR)
        and problem.author_id == user.pk
        and problem.status == Status.REJECTED
    )


# --- Reading --------------------------------------------------------------------------------


def list_visible(user: User) -> ProblemQuerySet:
    """
    Return all problems whose statement `user` may see.

    Accepted problems are there to be solved, but for those of a study that they have still to sit;
    others are their writers' and reviewers'.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.all()
    translated = user.credits.of_translators().values("problem")
    theirs = Q(pk__in=Problem.objects.of(user).values("pk"))
    theirs |= ~Q(status=Status.DRAFT) & Q(pk__in=translated)
    open_to_read = Q(accepted_revision__isnull=False)
    if user.has_role(Role.REVIEWER):
        theirs |= Q(status=Status.IN_REVIEW)
        open_to_read |= ~Q(status=Status.DRAFT)
    return Problem.objects.filter(theirs | (open_to_read & ~Q(pk__in=list_closed(user))))


def can_list_reviewed(user: User) -> bool:
    """Whether `user` may list everything that is in review."""
    return user.has_role(Role.REVIEWER) or user.has_role(Role.ADMIN)


def list_readable_revisions(user: User) -> RevisionQuerySet:
    """
    Return all texts that `user` may read, of the problems that they may see at all.

    What the writers have not submitted is theirs and the admins' alone. What they have replaced is
    for who may see the key: to others a correction is secret until it is accepted.
    """
    if user.has_role(Role.ADMIN):
        return Revision.objects.all()
    theirs = Q(problem__in=Problem.objects.of(user))
    with_key = Q(problem__in=list_with_key(user), submitted_at__isnull=False)
    current = Q(Exists(Revision.objects.current().filter(pk=OuterRef("pk"))))
    current &= Q(problem__status=Status.IN_REVIEW) | ~Q(problem__in=list_closed(user))
    return Revision.objects.filter(theirs | with_key | current)


def can_see_key(user: User, problem: Problem) -> bool:
    """Whether `list_with_key` has it: pages ask this often, so mostly without a query."""
    if is_in_charge(user, problem):
        return True
    return _reviews(user, problem) or (
        is_translator(user, problem) and problem.status != Status.DRAFT
    )


def _reviews(user: User, problem: Problem) -> bool:
    return (
        user.has_role(Role.REVIEWER)
        and problem.status == Status.IN_REVIEW
        # Somebody who only had the idea has no review to give, so nothing to compare.
        and not had_part(user, problem)
        and has_seen_key(user, problem)
    )


def may_be_told_answer(user: User, problem: Problem) -> bool:
    """Whether to learn the answer takes nothing from `user`: it is seen, or not theirs to solve."""
    if can_see_key(user, problem) or has_seen_key(user, problem):
        return True
    return problem.status == Status.ACCEPTED and not user.has_role(Role.PARTICIPANT)


def can_compare_answers(user: User, problem: Problem) -> bool:
    """
    Whether `user` is told which other problems have the same answer as this one.

    Whoever writes it is not: with one draft after another they would find others' keys.
    """
    if user.has_role(Role.ADMIN):
        return True
    return can_see_key(user, problem) and not had_part(user, problem)


def list_with_key(user: User) -> ProblemQuerySet:
    """
    Return all problems whose reference answer and solution `user` may see.

    A reviewer sees those of what is in review once their review page has shown them: until then
    they may be the one to solve it blind. A translator sees those of what was submitted. Once it is
    accepted the key is for its writers, its translators and admins: everybody else may come to
    answer it, or to hand in a model's answers.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.all()
    translated = user.credits.of_translators().values("problem")
    found = Q(pk__in=Problem.objects.of(user).values("pk"))
    found |= Q(pk__in=translated) & ~Q(status=Status.DRAFT)
    if user.has_role(Role.REVIEWER):
        named = user.credits.values("problem")
        found |= Q(status=Status.IN_REVIEW, pk__in=_list_seen(user)) & ~Q(pk__in=named)
    return Problem.objects.filter(found)


def _list_seen(user: User) -> QuerySet[Any, Any]:
    """Return the problems of which `user` was shown answer or solution, for queries."""
    return Exposure.objects.of_key().filter(person=user).values("revision__problem")


def _list_told(user: User) -> QuerySet[Any, Any]:
    """Return the problems of which `user` was shown what tells the key, for queries."""
    return Exposure.objects.telling_key().filter(person=user).values("revision__problem")


# --- Answering ------------------------------------------------------------------------------


def may_answer(user: User, revision: Revision) -> bool:
    """Whether `user` may answer, outside studies."""
    is_called = user.has_role(Role.PARTICIPANT)
    return is_called and list_to_answer(user).filter(pk=revision.problem_id).exists()


def list_to_answer(user: User) -> ProblemQuerySet:
    """
    Return all problems that a participant may answer; who was shown what tells the key may not.

    Nor does anybody while it is being corrected: there is one try, and it may be for nothing. An
    admin can read every key and every verdict at any time. Nobody answers what is hidden: they
    would be told how it was graded.
    """
    if user.has_role(Role.ADMIN):
        return Problem.objects.none()
    hidden = VersionItem.objects.hidden().filter(version__in=BenchmarkVersion.objects.current())
    open_to_all = Problem.objects.filter(status=Status.ACCEPTED).exclude(
        pk__in=hidden.values("problem")
    )
    return (list_foreign(user) & open_to_all).exclude(pk__in=_list_told(user))
