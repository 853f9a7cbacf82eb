"""Who may make organisations, belong to them, and know of models."""

from django.db.models import Min, Q, QuerySet

from grading.drafts.models import Draft, DraftQuerySet
from grading.solvers.models import (
    Description,
    DescriptionQuerySet,
    Membership,
    Organisation,
    OrganisationQuerySet,
    Solver,
    SolverQuerySet,
)
from grading.submissions.models import Submission
from phybench.models import Role, User

# --- Organisations ---------------------------------------------------------------------------


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


def list_drafts(user: User) -> DraftQuerySet:
    """Return the drafts that `user` may see and change: those of their organisations."""
    found = Draft.objects.select_related(
        "organisation", "benchmark", "version__benchmark", "made_by"
    )
    return found.filter(organisation__in=list_hand_in_for(user))


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


# --- Models that answer ----------------------------------------------------------------------


def list_solvers(viewer: User | None) -> SolverQuerySet:
    """
    Return the models that `viewer` may know of; None is a visitor.

    What was published once is everybody's to know, withdrawn or not: the board tells of it. That
    there is another is for its organisation and admins.
    """
    found = Solver.objects.are_models().select_related("organisation")
    if viewer and viewer.has_role(Role.ADMIN):
        return found
    published = Submission.objects.filter(published_at__isnull=False)
    may_know = Q(pk__in=published.values("solver"))
    if viewer:
        may_know |= Q(organisation__in=Organisation.objects.of(viewer))
    return found.filter(may_know)


def sees_all_of(viewer: User | None, solver: Solver) -> bool:
    """Whether `viewer` sees what a model's organisation keeps to itself."""
    organisation = solver.organisation
    return bool(viewer and organisation and can_see_members(viewer, organisation))


def list_submissions_of(solver: Solver, viewer: User | None) -> QuerySet[Submission]:
    """Return the submissions of a model that `viewer` may know of."""
    found = Submission.objects.filter(solver=solver)
    return found if sees_all_of(viewer, solver) else found.filter(published_at__isnull=False)


def list_descriptions(solver: Solver, viewer: User | None) -> DescriptionQuerySet:
    """Return what was said of a model; to others, since something of it was first published."""
    found = Description.objects.filter(solver=solver)
    if sees_all_of(viewer, solver):
        return found
    published = Submission.objects.filter(solver=solver).aggregate(first=Min("published_at"))
    if published["first"] is None:
        return found.none()
    held = found.filter(described_at__lte=published["first"]).first()
    return found.filter(number__gte=held.number) if held else found


def can_describe(user: User, solver: Solver) -> bool:
    """Whether `user` may say what a model is: its organisation's evaluators, and admins."""
    return judges(user) and sees_all_of(user, solver)


def judges(user: User) -> bool:
    """Whether `user` works with models’ answers: evaluators, and admins."""
    return user.has_role(Role.EVALUATOR) or user.has_role(Role.ADMIN)
