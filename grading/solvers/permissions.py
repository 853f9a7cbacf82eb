"""Who speaks for an organisation, and what they may do for it."""

from grading.solvers.models import (
    Membership,
    Organisation,
    OrganisationQuerySet,
    Solver,
)
from phybench.people.models import Role, User


def can_make_organisation(user: User) -> bool:
    return user.has_role(Role.EVALUATOR)


def confirms_organisations(user: User) -> bool:
    """Whether `user` confirms, renames and merges organisations, and sees who is of each."""
    return user.has_role(Role.ADMIN)


def list_hand_in_for(user: User) -> OrganisationQuerySet:
    """Return the organisations for which `user` may hand in answers."""
    found = Organisation.objects.of(user)
    return found if user.has_role(Role.EVALUATOR) else found.none()


def can_hand_in(user: User, organisation: Organisation) -> bool:
    return list_hand_in_for(user).filter(pk=organisation.pk).exists()


def can_see_members(user: User, organisation: Organisation) -> bool:
    return confirms_organisations(user) or is_member(user, organisation)


def is_member(user: User, organisation: Organisation) -> bool:
    return Organisation.objects.of(user).filter(pk=organisation.pk).exists()


def can_ask_to_join(user: User, organisation: Organisation) -> bool:
    return (
        user.has_role(Role.EVALUATOR)
        and organisation.merged_into_id is None
        and not is_member(user, organisation)
    )


def can_accept(user: User, membership: Membership) -> bool:
    """Whether `user` may take somebody who asked: no one takes themselves."""
    return can_see_members(user, membership.organisation) and membership.person_id != user.pk


def can_end_membership(user: User, membership: Membership) -> bool:
    """Whether `user` may end it: their own, one that only asks, or any as an admin."""
    if confirms_organisations(user) or membership.person_id == user.pk:
        return True
    return membership.joined_at is None and is_member(user, membership.organisation)


def sees_all_of(viewer: User | None, solver: Solver) -> bool:
    """Whether `viewer` sees what a model's organisation keeps to itself."""
    organisation = solver.organisation
    return bool(viewer and organisation and can_see_members(viewer, organisation))


def can_describe(user: User, solver: Solver) -> bool:
    """Whether `user` may say what a model is: its organisation's evaluators, and admins."""
    return judges(user) and sees_all_of(user, solver)


def judges(user: User) -> bool:
    """Whether `user` works with models’ answers: evaluators, and admins."""
    return user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)
