"""Who may contest a grade, and who rules on it."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import MD5

from curation.problems.models import Problem
from grading.answers.models import Attempt, AttemptQuerySet
from grading.answers.permissions import list_told_answers
from grading.disputes.contests.models import Contest, ContestQuerySet
from grading.solvers.models import Organisation, list_ever_of
from grading.solvers.permissions import judges
from phybench.people.models import Role, User
from phybench.people.permissions import list_admins


def list_contestable(user: User) -> AttemptQuerySet:
    """
    Return the answers whose grades are `user`’s to contest, whether or not they can be now.

    Those are a participant’s own, and for evaluators their organisations’; of models’ all of them
    for an admin.
    """
    found = Q(pk__in=list_told_answers(user))
    if user.has_role(Role.ADMIN):
        found |= Q(submission__isnull=False)
    elif user.has_role(Role.EVALUATOR):
        theirs = Organisation.objects.of(user)
        found |= Q(submission__isnull=False, solver__organisation__in=theirs)
    return Attempt.objects.filter(found)


def can_contest(user: User, attempt: Attempt) -> bool:
    return list_contestable(user).filter(pk=attempt.pk).exists()


def list_own_contests(user: User) -> ContestQuerySet:
    """Return the contests whose outcome is for `user` to be told, or to be taken back by them."""
    found = Q(attempt__submission=None, attempt__solver__user=user)
    if judges(user):
        theirs = Organisation.objects.of(user)
        found |= Q(attempt__submission__isnull=False, attempt__solver__organisation__in=theirs)
    if user.has_role(Role.ADMIN):
        found |= Q(contested_by=user)
    return Contest.objects.filter(found)


def list_contests(user: User) -> ContestQuerySet:
    """Return the contests that `user` may see with their solvers: for admins all ruled ones too."""
    own = list_own_contests(user)
    if not user.has_role(Role.ADMIN):
        return own
    # Who may still rule on one, or on another of the same answer, is not to learn whose it is.
    to_rule = list_rulable_contests(user).open()
    ruled = Contest.objects.filter(ruled_at__isnull=False)
    told = ruled.exclude(attempt__in=to_rule.values("attempt"))
    return Contest.objects.filter(Q(pk__in=own.values("pk")) | Q(pk__in=told.values("pk")))


def list_contests_on(user: User, attempt: Attempt) -> ContestQuerySet:
    """Return the contests of an answer that its page shows to `user`, who may see that."""
    found = Contest.objects.filter(attempt=attempt, taken_back_at=None)
    return found.exclude(pk__in=list_rulable_contests(user).open().values("pk"))


def list_rulable_contests(user: User) -> ContestQuerySet:
    """
    Return the contests that `user` may rule on, or may have ruled on.

    As `list_rulable`, and an admin too has no part in the answer: whoever answered, handed it in,
    contested it, or was of its organisation since it was handed in, has one. Who could not tell
    leaves it to another person.
    """
    found = Contest.objects.filter(taken_back_at=None)
    if not user.has_role(Role.ADMIN):
        if not user.has_role(Role.EVALUATOR):
            return found.none()
        found = found.filter(attempt__revision__problem__in=Problem.objects.of(user))
    own_problems = Problem.objects.of(user)
    of_same = Contest.objects.filter(attempt=OuterRef("attempt"))
    # Nor who ruled on the answer before: it would be on their own ruling.
    ruled_before = of_same.filter(ruled_by=user)
    return (
        found.exclude(Exists(of_same.filter(contested_by=user)))
        .exclude(Exists(_list_of_same_words(user)))
        # Who wrote the key is none to say that it is right.
        .exclude(reason=Contest.Reason.KEY_WRONG, attempt__revision__problem__in=own_problems)
        .exclude(Exists(ruled_before.exclude(pk=OuterRef("pk"))))
    )


def _list_of_same_words(user: User) -> QuerySet[Attempt]:
    """
    List the answers in the contested one's words that `user` has a part in.

    A ruling holds for all of them, so that one is enough to have an interest.
    """
    part = Q(solver__user=user) | Q(submission__uploaded_by=user)
    for membership, organisations in list_ever_of([user]):
        theirs = Q(solver__organisation__in=organisations)
        part |= theirs & Q(created_at__lte=membership.left_at) if membership.left_at else theirs
    # The sum finds them by an index; that the words are the same is asked for itself.
    same = Attempt.objects.filter(
        revision=OuterRef("attempt__revision"), response=OuterRef("attempt__response")
    ).alias(words=MD5("response"))
    return same.filter(part, words=MD5(OuterRef("attempt__response")))


def rules_contests(user: User) -> bool:
    """Whether there may be contests for `user` to rule on."""
    return judges(user)


def can_rule_contest(user: User, contest: Contest) -> bool:
    return list_rulable_contests(user).filter(pk=contest.pk).exists()


def is_refused_by_name(user: User) -> bool:
    """Whether `user` is told why they must not rule; to others there is no such contest."""
    return user.has_role(Role.ADMIN)


def list_free_admins(contest: Contest, admin: User) -> list[User]:
    """Return the other admins who may rule on a contest; the demo’s people keep to themselves."""
    admins = list_admins().filter(is_demo=admin.is_demo).exclude(pk=admin.pk)
    named = admins.order_by("display_name", "pk")
    return [one for one in named if can_rule_contest(one, contest)]
