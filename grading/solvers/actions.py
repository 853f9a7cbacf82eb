"""What people do with organisations: make one, join and leave it; admins confirm and merge."""

import itertools
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.solvers.models import (
    Description,
    Membership,
    Organisation,
    Solver,
    find_developer,
)
from grading.solvers.permissions import (
    can_accept,
    can_ask_to_join,
    can_describe,
    can_end_membership,
    can_make_organisation,
    confirms_organisations,
)
from phybench.people.models import User


class CannotChange(Exception):
    """What an organisation’s state or its name rules out; the message says what to do."""


@transaction.atomic
def make_organisation(*, name: str, by: User) -> Organisation:
    """
    Make an organisation with its first member; sent twice, it is made once.

    Raises:
        CannotChange: another has this name, or an admin has yet to confirm the last that they made.
    """
    if not can_make_organisation(by):
        raise PermissionDenied(_("Only evaluators make a team."))
    # Two of one person's forms at once: the second waits here for the first.
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    theirs = Organisation.objects.standing().filter(made_by=by)
    if made := (theirs & Organisation.objects.of(by)).filter(name=name).first():
        return made
    if theirs.filter(confirmed_at=None).exists():
        raise CannotChange(
            _(
                "An admin has yet to confirm the team that you made. You can make another "
                "once it is confirmed."
            )
        )
    now = timezone.now()
    is_confirmed = confirms_organisations(by)
    organisation = Organisation(
        name=name,
        made_by=by,
        is_demo=by.is_demo,
        confirmed_by=by if is_confirmed else None,
        confirmed_at=now if is_confirmed else None,
    )
    _save_named(
        organisation,
        _("There is a team with this name. Ask to join it, or choose another name."),
    )
    Membership.objects.create(organisation=organisation, person=by, joined_at=now, accepted_by=by)
    return organisation


@transaction.atomic
def find_or_make_own(by: User) -> Organisation:
    """
    Return the organisation of an evaluator who is of one, else make one with their name.

    Of several the one that they joined first. Where the name is taken, a number follows it; they
    can rename it later, and an admin confirms it before it publishes.
    """
    if own := Organisation.objects.of(by).order_by("memberships__joined_at", "pk").first():
        return own
    name = str(by)
    for number in itertools.count(2):
        if not Organisation.objects.filter(name__iexact=name).exists():
            break
        name = f"{by} {number}"
    return make_organisation(name=name, by=by)


def _save_named(organisation: Organisation, refusal: str) -> None:
    try:
        with transaction.atomic():
            organisation.save()
    except IntegrityError:
        raise CannotChange(refusal) from None


@transaction.atomic
def ask_to_join(*, organisation: Organisation, person: User) -> Membership:
    """Ask the members of an organisation to be taken; asked twice, it is asked once."""
    if not can_ask_to_join(person, organisation):
        raise PermissionDenied(_("Only evaluators join a team."))
    made, _is_new = Membership.objects.get_or_create(
        organisation=organisation, person=person, left_at=None
    )
    return made


@transaction.atomic
def accept(*, membership: Membership, by: User) -> None:
    """Take somebody who asked to join."""
    membership = _hold(membership)
    if not can_accept(by, membership):
        raise PermissionDenied(_("Only its members and admins say who joins a team."))
    if membership.joined_at is None and membership.left_at is None:
        membership.joined_at, membership.accepted_by = timezone.now(), by
        membership.save(update_fields=["joined_at", "accepted_by"])


@transaction.atomic
def end_membership(*, membership: Membership, by: User) -> None:
    """
    Leave an organisation, turn down who asked to join, or, as an admin, take somebody off.

    Raises:
        CannotChange: they are its last member, and it would be without one.
    """
    membership = _hold(membership)
    if not can_end_membership(by, membership):
        raise PermissionDenied(_("Only they and admins end somebody’s membership."))
    if membership.left_at is not None:
        return
    others = membership.organisation.memberships.current().exclude(pk=membership.pk)
    if membership.joined_at is not None and not others.exists():
        raise CannotChange(
            _(
                "You are its last member. Accept somebody else first, or ask an admin to merge it "
                "with another."
            )
        )
    membership.left_at = timezone.now()
    membership.save(update_fields=["left_at"])


def _hold(membership: Membership) -> Membership:
    # Of two who leave at once the second finds itself the last.
    Organisation.objects.select_for_update().get(pk=membership.organisation_id)
    return Membership.objects.select_for_update().get(pk=membership.pk)


@transaction.atomic
def confirm(*, organisation: Organisation, by: User) -> None:
    """Let an organisation publish."""
    organisation = _hold_as_admin(organisation, by)
    if organisation.confirmed_at is None:
        organisation.confirmed_by, organisation.confirmed_at = by, timezone.now()
        organisation.save(update_fields=["confirmed_by", "confirmed_at"])


@transaction.atomic
def rename(*, organisation: Organisation, name: str, by: User) -> None:
    """Give an organisation another name, on the board too."""
    organisation = _hold_as_admin(organisation, by)
    organisation.name = name
    _save_named(
        organisation,
        _("There is a team with this name. Merge the two, or choose another name."),
    )


@transaction.atomic
def merge(*, organisation: Organisation, into: Organisation, by: User) -> None:
    """
    Give an organisation's solvers, drafts and members to another; only its name is left.

    A solver that the other has one like is told from it by the name it comes from.
    """
    # In one order, so that two merges at once can't each wait for the other.
    first, second = sorted([organisation, into], key=lambda one: one.pk)
    held = {one.pk: _hold_as_admin(one, by) for one in (first, second)}
    organisation, into = held[organisation.pk], held[into.pk]
    if organisation == into:
        raise CannotChange(_("Choose another team to merge it with."))
    if into.confirmed_at is None:
        raise CannotChange(_("Confirm %(other)s first.") % {"other": into})
    taken = set(into.solvers.values_list("name", flat=True))
    for solver in organisation.solvers.all():
        solver.name = _name_anew(solver, organisation, taken)
        solver.organisation = into
        solver.save(update_fields=["name", "organisation"])
    # What is graded is a solver's; only what is not yet is the organisation's own.
    organisation.drafts.open().update(organisation=into)
    organisation.model_runs.update(organisation=into)
    organisation.contests.update(organisation=into)
    organisation.judge_files.update(organisation=into)
    _move_members(organisation, into, by)
    organisation.merged_into = into
    organisation.save(update_fields=["merged_into"])


def _name_anew(solver: Solver, organisation: Organisation, taken: set[str]) -> str:
    longest = Solver._meta.get_field("name").max_length or 0
    name, count = solver.name, 1
    while name in taken:
        ending = f" ({organisation.name})" if count == 1 else f" ({organisation.name}, {count})"
        name, count = solver.name[: max(0, longest - len(ending))] + ending[-longest:], count + 1
    taken.add(name)
    return name


def _move_members(organisation: Organisation, into: Organisation, by: User) -> None:
    now = timezone.now()
    there = set(into.memberships.filter(left_at=None).values_list("person_id", flat=True))
    for membership in organisation.memberships.filter(left_at=None):
        if membership.joined_at is not None:
            if membership.person_id in there:
                into.memberships.asked().filter(person=membership.person_id).update(
                    joined_at=now, accepted_by=by
                )
            else:
                Membership.objects.create(
                    organisation=into, person=membership.person, joined_at=now, accepted_by=by
                )
        membership.left_at = now
        membership.save(update_fields=["left_at"])


def _hold_as_admin(organisation: Organisation, by: User) -> Organisation:
    held = Organisation.objects.select_for_update().get(pk=organisation.pk)
    if not confirms_organisations(by):
        raise PermissionDenied(_("Only admins confirm, rename and merge teams."))
    if held.merged_into_id is not None:
        raise CannotChange(_("It was merged into %(other)s.") % {"other": held.merged_into})
    return held


@transaction.atomic
def describe(*, solver: Solver, by: User, read: int, **said: Any) -> Description:
    """
    Say what a model is, from now on; what is said already is not said again.

    Args:
        read: the number of the description that `by` had before them; 0 where there was none.
        said: values of `Description.SAID`; what is left out is not said, but for the developer whom
            the model's own name says.

    Raises:
        CannotChange: it was described anew meanwhile, or nothing is said.
    """
    # Descriptions are numbered one by one: the second of two at once waits here.
    solver = Solver.objects.select_for_update(no_key=True, of=["self"]).get(pk=solver.pk)
    if not can_describe(by, solver):
        raise PermissionDenied(_("Only members of its team and admins describe a model."))
    last = solver.descriptions.first()
    number = last.number if last else 0
    described = Description(solver=solver, number=number + 1, described_by=by, **said)
    if not any(said.values()) and last is None:
        raise CannotChange(_("Fill in at least one field."))
    described.developer = described.developer or find_developer(solver.name)
    if last and described.list_said() == last.list_said():
        return last
    if number != read:
        raise CannotChange(
            _(
                "Somebody else has described this model meanwhile. Nothing of yours was saved: "
                "read theirs, then save again."
            )
        )
    described.save()
    return described
