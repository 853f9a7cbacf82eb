"""What somebody may by their roles alone, and whom one may name or ask."""

from phybench.people.models import Role, User, UserQuerySet


def is_admin(user: User) -> bool:
    """Whether `user` looks after the benchmark, for what pages say of them and offer to them."""
    return user.has_role(Role.ADMIN)


def looks_after_people(user: User) -> bool:
    """Whether `user` gives and takes roles, decides requests, invites and deactivates people."""
    return user.has_role(Role.ADMIN)


def looks_after_benchmarks(user: User) -> bool:
    """Whether `user` makes benchmarks and says what each is to reach."""
    return user.has_role(Role.ADMIN)


def is_oneself(user: User, person: User) -> bool:
    """Whether it is about `user`: another admin takes their role, or lets them sign in no more."""
    return user.pk == person.pk


def can_change_institution(user: User, person: User) -> bool:
    return is_oneself(user, person) or looks_after_people(user)


def is_reviewer(user: User) -> bool:
    """Whether `user` can be asked for reviews at all."""
    return user.has_role(Role.REVIEWER)


def is_contributor(user: User) -> bool:
    """Whether `user` may write problems."""
    return user.has_role(Role.CONTRIBUTOR)


def begins_to_write(user: User) -> bool:
    """Whether pages offer `user` to write a problem: a contributor, or who has no role yet."""
    return is_contributor(user) or not user.roles


def may_still_write(user: User) -> bool:
    """Whether what `user` asked for as a writer is still to be done: an admin corrects as well."""
    return is_contributor(user) or is_admin(user)


def list_contributors() -> UserQuerySet:
    return User.objects.get_queryset().with_role(Role.CONTRIBUTOR)


def list_reviewers() -> UserQuerySet:
    return User.objects.get_queryset().with_role(Role.REVIEWER)


def list_admins() -> UserQuerySet:
    return User.objects.get_queryset().with_role(Role.ADMIN)


def list_judges() -> UserQuerySet:
    """Return whom a conflict can be about: admins decide where reviews disagree."""
    return list_reviewers() | list_admins()


def is_sitting(user: User) -> bool:
    """
    Whether a session of `user` is going on.

    Meanwhile they have no models' answers graded and read no grades of them: each would tell
    whether an answer to a problem of theirs is right.
    """
    return find_sitting(user).exists()


def find_sitting(user: User) -> UserQuerySet:
    """Find `user` if they sit a session, for queries; see `is_sitting`."""
    return User.objects.get_queryset().sitting().filter(pk=user.pk)


def can_see_names(user: User) -> bool:
    """Whether `user` reads who reviewed, reported and decided; others read what they are."""
    return user.has_role(Role.ADMIN)
