"""Who must not judge what, and who decides instead of an admin who is one of them."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from curation.people.models import Conflict, Credit
from curation.problems.models import Problem, Revision
from phybench.models import Role, User


class Interests:
    """
    What each of these people have to do with each of these problems, in a fixed number of queries.

    It explains what `ReviewRoundQuerySet.without_part_of` and `without_conflict` leave out, which
    is what holds.
    """

    def __init__(self, problems: Collection[int], people: Collection[User]) -> None:
        named = Credit.objects.filter(problem__in=problems, person__in=people)
        self.named = set(named.values_list("problem", "person"))
        wrote = Revision.writers.through.objects.filter(
            revision__problem__in=problems, user__in=people
        )
        self.named |= set(wrote.values_list("revision__problem", "user"))
        self.conflicts = _list_conflicts(problems, people)

    def had_part(self, problem: Problem, person: User) -> bool:
        return problem.author_id == person.pk or (problem.pk, person.pk) in self.named

    def has_conflict(self, problem: Problem, person: User) -> bool:
        return (problem.pk, person.pk) in self.conflicts


def _list_conflicts(problems: Collection[int], people: Collection[User]) -> set[tuple[int, int]]:
    """Return problems with people who are in conflict with them, or with who wrote them."""
    conflicts = list(
        Conflict.objects.current()
        .filter(person__in=people)
        .values_list("person", "problem", "author")
    )
    writers = set(Problem.objects.filter(pk__in=problems).values_list("pk", "author"))
    co_authors = Credit.objects.of_co_authors().filter(problem__in=problems)
    writers |= set(co_authors.values_list("problem", "person"))
    found = {(problem, person) for person, problem, _author in conflicts if problem in problems}
    for person, _problem, author in conflicts:
        if author is not None:
            found |= {(problem, person) for problem, writer in writers if writer == author}
    return found


def say_who_decides(admin: User, problem: Problem) -> str:
    """Say why an admin must not decide on a problem, and who can; "" if nothing is in the way."""
    # The demo's people keep to themselves.
    admins = User.objects.get_queryset().with_role(Role.ADMIN).filter(is_demo=admin.is_demo)
    others = list(admins.exclude(pk=admin.pk).order_by("display_name", "pk"))
    interests = Interests({problem.pk}, [admin, *others])
    if interests.had_part(problem, admin):
        why = _("You had a part in this problem, so this is not yours to decide.")
    elif interests.has_conflict(problem, admin):
        why = _("You are marked as in conflict with this problem, so this is not yours to decide.")
    else:
        return ""
    free = [
        str(person)
        for person in others
        if not interests.had_part(problem, person) and not interests.has_conflict(problem, person)
    ]
    if free:
        return f"{why} " + _("Ask another admin: %(names)s.") % {"names": ", ".join(free)}
    return f"{why} " + _(
        "No other admin can either: in the back office, give the role to somebody who has nothing "
        "to do with it."
    )
