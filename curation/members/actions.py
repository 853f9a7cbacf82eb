"""Change what a person may do, where they work, and whether they sign in; each is written down."""

from collections.abc import Collection
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.members.models import PersonChange, Request
from curation.problems.models import Problem
from curation.problems.people.models import Credit, FormerInstitution, list_people_of
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import undoing
from curation.reviewing.assignments.undoing import Undone
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from phybench.people.names import tidy_name
from phybench.people.permissions import (
    can_change_institution,
    is_oneself,
    list_admins,
    looks_after_people,
)
from phybench.people.tokens import actions as tokens
from phybench_grader.numbers.sentences import Sentence

Kind = PersonChange.Kind
How = PersonChange.How
UNTIL_MOVED_AGAIN = timedelta(days=90)
"""How long after they said where they work somebody says something else without an admin."""
A_SLIP = timedelta(days=1)
"""What was said for less is corrected freely, and is not kept as where they have worked."""


class Unseen(NotAllowedNow):
    """What undoes more, or something else, than an admin was shown."""


def hold(by: User, *people: User) -> list[User]:
    """
    Hold people, who changes them, and all admins; return them as they are now, `by` first.

    Two admins who each take the other's role go one after the other, and one of them stays.

    Raises:
        NotAllowedNow: `by` looks after people no more.
    """
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    pks = [one.pk for one in (by, *people)]
    held = {one.pk: one for one in rows.filter(Q(pk__in=pks) | Q(roles__contains=[Role.ADMIN]))}
    if not looks_after_people(held[by.pk]):
        raise NotAllowedNow(_("Only an admin does this."))
    return [held[pk] for pk in pks]


def sort_roles(roles: Collection[str]) -> list[str]:
    return [role.value for role in Role if role in roles]


@transaction.atomic
def set_roles(
    *, person: User, roles: Collection[str], by: User, known: Collection[str], reason: str = ""
) -> PersonChange | None:
    """
    Let somebody hold these roles and no others; None where that is so already.

    Args:
        known: the roles that the admin was shown.

    Raises:
        NotAllowedNow: they hold others meanwhile, or it is the admin's own role of an admin, or
            that of the last.
    """
    by, person = hold(by, person)
    before, after = sort_roles(person.roles), sort_roles(roles)
    if before == after:
        return None
    if sort_roles(known) != before:
        raise NotAllowedNow(
            _("The roles of %(name)s were changed meanwhile. Look at them and save again.")
            % {"name": person}
        )
    if Role.ADMIN in before and Role.ADMIN not in after:
        _check_admin_may_go(person, by)
    return write_roles(person, after, by=by, how=How.BY_ADMIN, reason=reason)


def _check_admin_may_go(person: User, by: User) -> None:
    if is_oneself(by, person):
        raise NotAllowedNow(_("Only another admin can take the role of an admin from you."))
    if not list_admins().exclude(pk=person.pk).exists():
        raise NotAllowedNow(_("%(name)s is the last admin.") % {"name": person})


def write_roles(
    person: User, roles: Collection[str], *, by: User, how: str, reason: str = ""
) -> PersonChange:
    """Change the roles of somebody whom the caller holds, with all that hangs on it."""
    before, person.roles = sort_roles(person.roles), sort_roles(roles)
    person.save(update_fields=["roles"])
    # What they asked for and have now waits for no one.
    Request.objects.open().filter(person=person, role__in=person.roles).update(
        outcome=Request.Outcome.GRANTED, decided_at=timezone.now(), decided_by=by
    )
    assigning.release(person=person, admin=by)
    return PersonChange.objects.create(
        person=person,
        kind=Kind.ROLES,
        how=how,
        before=before,
        after=person.roles,
        by=by,
        reason=reason.strip(),
    )


@transaction.atomic
def give_role(*, people: Collection[User], role: str, by: User) -> int:
    """Give a role to those of these people who lack it; return how many that were."""
    by, *held = hold(by, *people)
    lacking = [one for one in held if role not in one.roles]
    for one in lacking:
        write_roles(one, [*one.roles, role], by=by, how=How.BY_ADMIN)
    return len(lacking)


@transaction.atomic
def deactivate(*, person: User, by: User, reason: str) -> int:
    """
    Let somebody sign in no more; return how many open reviews were given back.

    Their sessions end and their tokens are revoked for good: both stay so if they come back.

    Raises:
        NotAllowedNow: it is the admin themselves, or no reason is given.
    """
    by, person = hold(by, person)
    if is_oneself(by, person):
        raise NotAllowedNow(_("You can’t deactivate yourself. Another admin can."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why."))
    if not person.is_active:
        return 0
    person.is_active = False
    person.sign_out_count = F("sign_out_count") + 1
    person.save(update_fields=["is_active", "sign_out_count"])
    tokens.revoke_all(person=person)
    PersonChange.objects.create(person=person, kind=Kind.DEACTIVATED, by=by, reason=reason.strip())
    return assigning.release(person=person, admin=by)


@transaction.atomic
def reactivate(*, person: User, by: User, reason: str = "") -> None:
    """Let somebody sign in again, with the roles that they had; what was given back stays so."""
    by, person = hold(by, person)
    if person.is_active:
        return
    person.is_active = True
    person.save(update_fields=["is_active"])
    PersonChange.objects.create(person=person, kind=Kind.REACTIVATED, by=by, reason=reason.strip())


@transaction.atomic
def confirm_address(*, person: User, by: User) -> None:
    """
    Take a person's address for confirmed where an admin knows that it is theirs.

    Raises:
        NotAllowedNow: somebody else has confirmed it meanwhile.
    """
    by, person = hold(by, person)
    address = list_unconfirmed().filter(user=person).first()
    if address is None:
        return
    if not address.set_verified():
        raise NotAllowedNow(_("Another account has confirmed this address."))
    PersonChange.objects.create(
        person=person, kind=Kind.CONFIRMED, by=by, after=[address.email[:120]]
    )


def list_unconfirmed() -> "QuerySet[EmailAddress]":
    """List the addresses whose people can't sign in until they are confirmed."""
    return EmailAddress.objects.filter(primary=True, verified=False)  # type: ignore[no-any-return]


@transaction.atomic
def set_institution(*, person: User, name: str, by: User, known: str = "") -> PersonChange | None:
    """
    Say where somebody works; None where it was said so already.

    Args:
        known: `Undone.known` of what an admin was shown that it undoes.

    Raises:
        NotAllowedNow: it is not theirs to say, or it touches a review under way and the admin has
            not seen what it undoes, or is not the one to agree.
    """
    if not can_change_institution(by, person):
        raise NotAllowedNow(_("Only the person and admins change the institution."))
    name = tidy_name(name)
    if not is_oneself(by, person):
        # What they say themselves at once undoes nothing.
        hold_problems(undoing.find_by_institution(person, name))
    rows = User.objects.select_for_update(no_key=True).order_by("pk")
    there = list_people_of(name).values("pk")
    held = {one.pk: one for one in rows.filter(Q(pk=person.pk) | Q(pk__in=there))}
    person = held[person.pk]
    if person.institution == name:
        return None
    if is_oneself(by, person):
        if must_wait(person, name):
            raise NotAllowedNow(_("An admin has to agree to this first."))
        return write_institution(person, name, by=by, how=How.BY_THEMSELVES)
    if adds_institution(person, name):
        touched = undoing.list_touched_by_institution(person)
        if why_not := undoing.say_who_agrees(by, touched):
            raise NotAllowedNow(why_not)
        # Somebody may have been assigned, or have reviewed, meanwhile.
        undone = undoing.find_by_institution(person, name)
        check_known(undone, known)
        return write_institution(person, name, by=by, how=How.BY_ADMIN, undone=undone)
    return write_institution(person, name, by=by, how=How.BY_ADMIN)


def adds_institution(person: User, name: str) -> bool:
    """Whether nobody was in conflict with `person` because of this institution until now."""
    return bool(name) and not list_people_of(name).filter(pk=person.pk).exists()


def must_wait(person: User, name: str) -> bool:
    """
    Whether an admin has to agree before somebody is of this institution.

    To leave one, or to come back to one, waits for nobody: no conflict begins or ends by it.
    """
    if not adds_institution(person, name):
        return False
    if undoing.list_touched_by_institution(person).exists():
        return True
    lately = _list_own_moves(person)
    return bool(lately) and not _is_slip(lately)


def _list_own_moves(person: User) -> list[PersonChange]:
    since = timezone.now() - UNTIL_MOVED_AGAIN
    own = person.changes.filter(kind=Kind.INSTITUTION, how=How.BY_THEMSELVES, at__gt=since)
    # To leave without saying where to is none.
    return list(own.exclude(after=[]).order_by("-at"))


def _is_slip(lately: list[PersonChange]) -> bool:
    """Whether what was said last is only just said, and nothing before it for long."""
    return len(lately) == 1 and lately[0].at > timezone.now() - A_SLIP


def write_institution(
    person: User, name: str, *, by: User, how: str, undone: Undone | None = None
) -> PersonChange:
    """Say where somebody works whom the caller holds, with all that this undoes."""
    before, person.institution = person.institution, name
    lately = _list_own_moves(person)
    # What an admin has said or agreed to since is no slip of theirs.
    is_slip = how == How.BY_THEMSELVES and _is_slip(lately) and lately[0].after == [before]
    person.save(update_fields=["institution"])
    if before and not is_slip:
        FormerInstitution.objects.create(person=person, name=before)
    change = PersonChange.objects.create(
        person=person,
        kind=Kind.INSTITUTION,
        how=how,
        before=[before] if before else [],
        after=[name] if name else [],
        by=by,
    )
    if undone:
        undoing.undo(undone, by=by, message=Sentence("released_institution"))
    return change


def hold_problems(undone: Undone, credit: Credit | None = None) -> None:
    """Hold the problems of which something is to be undone: no review of them comes meanwhile."""
    pks = {*undone.problems, *([credit.problem_id] if credit else [])}
    list(Problem.objects.select_for_update().filter(pk__in=pks).order_by("pk"))


def check_known(undone: Undone, known: str) -> None:
    """
    Refuse to undo anything that an admin was not shown.

    Raises:
        Unseen: there is something that they were not shown.
    """
    if undone.known != known:
        raise Unseen(_("Look at what this undoes first."))
