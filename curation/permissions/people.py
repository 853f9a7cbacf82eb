"""Who somebody is to a problem, who must not judge it, and whom one may name or ask."""

from collections.abc import Collection

from django.db.models.functions import Upper

from curation.invitations.models import Invitation
from curation.members.models import ASKED_FOR, RoleRequest
from curation.people.models import Conflict, Credit
from curation.problems.models import Problem, ProblemQuerySet, Revision
from curation.workflow import CLOSED
from phybench.models import Role, User, UserQuerySet


def is_admin(user: User) -> bool:
    """Whether `user` looks after the benchmark, for what pages say of them and offer to them."""
    return user.has_role(Role.ADMIN)


def looks_after_people(user: User) -> bool:
    """Whether `user` gives and takes roles, decides requests, invites and deactivates people."""
    return user.has_role(Role.ADMIN)


def looks_after_benchmarks(user: User) -> bool:
    """Whether `user` makes benchmarks and says what each is to reach."""
    return user.has_role(Role.ADMIN)


def can_ask_for_role(user: User, role: str) -> bool:
    """Whether `user` may ask for a role: an admin makes another by name, so not for that one."""
    return user.is_active and role in ASKED_FOR and role not in user.roles


def list_requestable(user: User) -> list[Role]:
    """Return the roles that `user` may ask for."""
    return [role for role in ASKED_FOR if can_ask_for_role(user, role)]


def is_own_request(user: User, request: RoleRequest) -> bool:
    return request.person_id == user.pk


def is_oneself(user: User, person: User) -> bool:
    """Whether it is about `user`: another admin takes their role, or lets them sign in no more."""
    return user.pk == person.pk


def can_change_institution(user: User, person: User) -> bool:
    return is_oneself(user, person) or looks_after_people(user)


def is_invited(user: User, invitation: Invitation, addresses: Collection[str]) -> bool:
    """Whether an invitation was sent to one of the addresses that `user` has confirmed."""
    return invitation.email.lower() in {one.lower() for one in addresses}


def still_holds(invitation: Invitation) -> bool:
    """Whether who wrote an invitation may still invite people."""
    return looks_after_people(invitation.invited_by)


def is_reviewer(user: User) -> bool:
    """Whether `user` can be asked for reviews at all."""
    return user.has_role(Role.REVIEWER)


def is_contributor(user: User) -> bool:
    """Whether `user` may write problems."""
    return user.has_role(Role.CONTRIBUTOR)


def may_still_write(user: User) -> bool:
    """Whether what `user` asked for as a writer is still to be done: an admin corrects as well."""
    return is_contributor(user) or is_admin(user)


def is_writer(user: User, problem: Problem) -> bool:
    """Whether `user` writes this problem, as its author or as a co-author: `ProblemQuerySet.of`."""
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk and credit.is_current and credit.role == Credit.Role.CO_AUTHOR
        for credit in problem.credits.all()
    )


def list_authored(user: User) -> ProblemQuerySet:
    """Return the problems that `user` is the author of, to withdraw or delete."""
    return Problem.objects.filter(author=user)


def is_in_charge(user: User, problem: Problem) -> bool:
    """Whether `user` writes this problem or looks after all of them: `list_in_charge`."""
    return user.has_role(Role.ADMIN) or is_writer(user, problem)


def list_in_charge(user: User) -> ProblemQuerySet:
    """Return the problems that `user` writes; all of them for an admin."""
    return Problem.objects.all() if user.has_role(Role.ADMIN) else Problem.objects.of(user)


def had_part(user: User, problem: Problem) -> bool:
    """
    Whether `user` is the author, or was ever named on the problem: `list_foreign` has the others.

    Whoever had a part knows more of it than its statement: they neither review nor answer it,
    though their name was taken off again.
    """
    return problem.author_id == user.pk or any(
        credit.person_id == user.pk for credit in problem.credits.all()
    )


def list_foreign(user: User) -> ProblemQuerySet:
    """Return the problems that `user` neither wrote nor supplied, and never was named on."""
    return Problem.objects.exclude(author=user).exclude(pk__in=user.credits.values("problem"))


def is_translator(user: User, problem: Problem, language: str = "") -> bool:
    """Whether `user` is the one to translate this problem, into `language` if one is given."""
    return any(
        credit.person_id == user.pk
        and credit.is_current
        and credit.role == Credit.Role.TRANSLATOR
        and language in ("", credit.language)
        for credit in problem.credits.all()
    )


class Interests:
    """
    What each of these people have to do with each of these problems, in a fixed number of queries.

    It explains what `list_judgeable` leaves out, which is what holds.
    """

    def __init__(self, problems: Collection[int], people: Collection[User]) -> None:
        named = Credit.objects.filter(problem__in=problems, person__in=people)
        self.named = set(named.values_list("problem", "person"))
        wrote = Revision.writers.through.objects.filter(
            revision__problem__in=problems, user__in=people
        )
        self.named |= set(wrote.values_list("revision__problem", "user"))
        self.conflicts = _list_conflicts(problems, people)
        self.of_one_institution = _list_of_one_institution(problems, people)

    def had_part(self, problem: Problem, person: User) -> bool:
        return problem.author_id == person.pk or (problem.pk, person.pk) in self.named

    def has_conflict(self, problem: Problem, person: User) -> bool:
        return (problem.pk, person.pk) in self.conflicts or self.shares_institution(problem, person)

    def shares_institution(self, problem: Problem, person: User) -> bool:
        """Whether they work where an author does, and the benchmark counts that as a conflict."""
        return (problem.pk, person.pk) in self.of_one_institution


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


def _list_of_one_institution(
    problems: Collection[int], people: Collection[User]
) -> set[tuple[int, int]]:
    """Return problems with people of an author's institution, where the benchmark minds it."""
    minded = Problem.objects.filter(pk__in=problems, benchmark__institutions_conflict=True)
    # By the database, which compares them in queries too.
    authors = minded.values_list("pk", Upper("author__institution"))
    co_authors = (
        Credit.objects.of_co_authors()
        .filter(problem__in=minded)
        .values_list("problem", Upper("person__institution"))
    )
    of_writers = {(problem, where) for problem, where in (*authors, *co_authors) if where}
    theirs = User.objects.filter(pk__in=[one.pk for one in people]).exclude(institution="")
    where_they_are = list(theirs.values_list("pk", Upper("institution")))
    return {
        (problem, person)
        for problem, where in of_writers
        for person, place in where_they_are
        if where == place
    }


def is_own_conflict(user: User, conflict: Conflict) -> bool:
    """Whether it is about `user`, so that another admin is to lift it."""
    return conflict.person_id == user.pk


# --- Names on a problem ---------------------------------------------------------------------


def can_name(user: User, problem: Problem) -> bool:
    """Whether `user` may say whose work it is: its author alone."""
    return problem.author_id == user.pk and problem.is_editable


def can_assign_translator(user: User, problem: Problem) -> bool:
    is_theirs = problem.author_id == user.pk or user.has_role(Role.ADMIN)
    return is_theirs and problem.status not in CLOSED


def is_own_credit(user: User, credit: Credit) -> bool:
    return credit.person_id == user.pk


def can_remove(user: User, credit: Credit) -> bool:
    """Whether `user` may take a name off: their own always, others' where they may name."""
    if not credit.is_current:
        return False
    if credit.role == Credit.Role.TRANSLATOR and can_assign_translator(user, credit.problem):
        return True
    return is_own_credit(user, credit) or can_name(user, credit.problem)


def can_ask_to_remove(user: User, credit: Credit) -> bool:
    """Whether the name is theirs, or on a list that is theirs to keep, frozen now or not."""
    return (
        is_own_credit(user, credit)
        or credit.problem.author_id == user.pk
        or (bool(credit.language) and can_assign_translator(user, credit.problem))
    )


def list_candidates(problem: Problem) -> UserQuerySet:
    """Return everybody who may be named on a problem; demo people keep to themselves."""
    author = problem.author
    people = User.objects.get_queryset().with_role(Role.CONTRIBUTOR)
    if author is None:
        return people.none()
    return people.filter(is_demo=author.is_demo).exclude(pk=author.pk)


def list_translators(problem: Problem) -> UserQuerySet:
    """Return everybody who may translate a problem: its author too."""
    is_demo = problem.author.is_demo if problem.author else problem.benchmark.is_demo
    return User.objects.get_queryset().with_role(Role.CONTRIBUTOR).filter(is_demo=is_demo)


# --- People by what they do -----------------------------------------------------------------


def list_reviewers() -> UserQuerySet:
    return User.objects.get_queryset().with_role(Role.REVIEWER)


def list_admins() -> UserQuerySet:
    return User.objects.get_queryset().with_role(Role.ADMIN)


def list_judges() -> UserQuerySet:
    """Return whom a conflict can be about: admins decide where reviews disagree."""
    return list_reviewers() | list_admins()


def can_see_names(user: User) -> bool:
    """Whether `user` reads who reviewed, reported and decided; others read what they are."""
    return user.has_role(Role.ADMIN)
