"""Invite people, send the e-mails, withdraw them, and take up an invitation."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models.functions import Lower
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.members import actions as members
from curation.members.invitations.addresses import Entry, Found
from curation.members.invitations.models import Invitation, InvitationQuerySet
from curation.members.invitations.permissions import is_invited
from curation.members.models import PersonChange, Request
from curation.members.requests import ask
from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User
from phybench.people.permissions import looks_after_people
from phybench.work.mailing import deliver, fail
from phybench.work.models import Priority

_SIGNER = signing.Signer(salt="curation.invitations", sep=".")
MOST_LINKS = 20
"""For several, that stand at once: a mistaken click is one of few."""


def check_may_invite(person: User) -> None:
    if not looks_after_people(person):
        raise NotAllowedNow(_("Only an admin invites people."))


def write_link(invitation: Invitation) -> str:
    """Return the address by which somebody joins, for its e-mail and for admins: no row has it."""
    secret = _SIGNER.sign(str(invitation.pk))
    return settings.SITE_URL + reverse("curation:invitation", args=[secret])


def read_link(secret: str) -> Invitation | None:
    """Return what a link is of, or None where it is not one of ours."""
    try:
        pk = int(_SIGNER.unsign(secret))
    except (signing.BadSignature, ValueError):
        return None
    return Invitation.objects.select_related("invited_by", "benchmark").filter(pk=pk).first()


def leave_out_known(found: Found) -> Found:
    """Refuse addresses that have an account, or an invitation that can still be used."""
    emails = [one.email.lower() for one in found.entries]
    people = User.objects.annotate(key=Lower("email")).filter(key__in=emails)
    names = {person.email.lower(): str(person) for person in people}
    confirmed = EmailAddress.objects.filter(verified=True).annotate(key=Lower("email"))
    for one in confirmed.filter(key__in=emails).select_related("user"):
        names.setdefault(one.email.lower(), str(one.user))
    standing = Invitation.objects.open().annotate(key=Lower("email")).filter(key__in=emails)
    invited = {one.email.lower(): one.expires_at.date().isoformat() for one in standing}
    kept = Found(refused=list(found.refused))
    for entry in found.entries:
        key = entry.email.lower()
        if key in names:
            why = _("This address has an account: %(name)s.") % {"name": names[key]}
            kept.refuse(entry.line, entry.email, why)
        elif key in invited:
            why = _("This address is invited already, until %(day)s.") % {"day": invited[key]}
            kept.refuse(entry.line, entry.email, why)
        else:
            kept.entries.append(entry)
    kept.refused.sort(key=lambda one: one.line)
    return kept


@transaction.atomic
def invite(
    *,
    entries: Sequence[Entry],
    roles: Collection[str],
    days: int,
    language: str,
    by: User,
    benchmark: Benchmark | None = None,
) -> list[Invitation]:
    """
    Invite these addresses; return the invitations made. Workers send them.

    What another admin invites in the same moment is invited once, and not returned.

    Raises:
        NotAllowedNow: they invite nobody, or a role is not given this way.
    """
    check_may_invite(by)
    emails = [one.email.lower() for one in entries]
    now = timezone.now()
    # One that ran out makes way for the next. Held first: what another admin has just withdrawn so
    # is not found then.
    expired = Invitation.objects.standing().filter(expires_at__lte=now)
    old = expired.annotate(key=Lower("email")).filter(key__in=emails)
    held = list(old.select_for_update().order_by("pk").values_list("pk", flat=True))
    Invitation.objects.filter(pk__in=held).update(withdrawn_at=now, withdrawn_by=by)
    Invitation.objects.bulk_create(
        [
            Invitation(
                email=one.email,
                name=one.name,
                roles=members.sort_roles(roles),
                language=language,
                benchmark=benchmark,
                invited_by=by,
                invited_at=now,
                expires_at=now + timedelta(days=days),
                priority=Priority.SOON.value,
            )
            for one in entries
        ],
        ignore_conflicts=True,
    )
    return list(Invitation.objects.filter(invited_by=by, invited_at=now).order_by("pk"))


@transaction.atomic
def make_link(
    *, role: str, most: int, days: int, by: User, benchmark: Benchmark | None
) -> Invitation:
    """
    Let so many people join with a role, whoever they are, by a link.

    Raises:
        NotAllowedNow: they invite nobody, or there are too many such links already.
    """
    check_may_invite(by)
    if Invitation.objects.open().shared().count() >= MOST_LINKS:
        raise NotAllowedNow(_("There are many such links already. Withdraw one first."))
    until = timezone.now() + timedelta(days=days)
    return Invitation.objects.create(
        roles=[role], most=most, expires_at=until, invited_by=by, benchmark=benchmark
    )


def say_sent(count: int) -> str:
    text = ngettext(
        "%(count)d invitation is on its way.", "%(count)d invitations are on their way.", count
    )
    return text % {"count": count}


@transaction.atomic
def send_again(*, invitations: InvitationQuerySet, by: User, days: int) -> int:
    """
    Send what stands once more, with as many days from now; return how many e-mails that is.

    The link stays the same: who finds the first e-mail can use it as well. An address gets one
    e-mail an hour at most.
    """
    check_may_invite(by)
    chosen = invitations.sendable_again().select_for_update()
    held = chosen.values_list("pk", flat=True)
    again = Invitation.objects.filter(pk__in=list(held), lease_until=None)
    return again.update(
        sent_at=None,
        failed_at=None,
        failure="",
        tries=0,
        lost=0,
        next_at=None,
        queued_at=timezone.now(),
        expires_at=timezone.now() + timedelta(days=days),
    )


@transaction.atomic
def withdraw(*, invitation: Invitation, by: User) -> None:
    """
    Let a link open nothing any more.

    Raises:
        NotAllowedNow: it was used up already; the roles are taken from the people then.
    """
    check_may_invite(by)
    held = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if held.accepted_at:
        text = _("%(name)s has joined already. Change the roles of that person instead.")
        raise NotAllowedNow(text % {"name": held.accepted_by})
    if held.withdrawn_at is None:
        held.withdrawn_at, held.withdrawn_by = timezone.now(), by
        held.save(update_fields=["withdrawn_at", "withdrawn_by"])


def find_obstacle(invitation: Invitation) -> str:
    """Say why a link opens nothing any more, or "" where it does."""
    if invitation.accepted_at and invitation.email:
        return _(
            "This invitation was used already. It works once. If it was you, sign in with the "
            "password that you chose then."
        )
    if invitation.accepted_at:
        return _("As many people as this link is for have joined by it. Ask an admin for another.")
    if invitation.withdrawn_at:
        return _("This link was withdrawn. Ask an admin if you still want to join.")
    if invitation.is_expired:
        return _("This link has expired. Ask an admin for another.")
    if not looks_after_people(invitation.invited_by):
        return _("The person who made this link is not an admin any more. Ask an admin.")
    return ""


def send(invitation: Invitation) -> None:
    """Send a claimed invitation, if it still opens anything."""
    if why := find_obstacle(invitation):
        fail(invitation, why)
    else:
        deliver(invitation, write_mail(invitation))


def write_mail(invitation: Invitation) -> EmailMessage:
    with translation.override(invitation.language):
        context = {
            "invitation": invitation,
            "link": write_link(invitation),
            "roles": [str(one) for one in invitation.role_labels()],
        }
        return EmailMessage(
            settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("You are invited to PHYBench curation"),
            render_to_string("curation/invitation.txt", context),
            to=[invitation.email],
        )


def _hold(invitation: Invitation) -> Invitation:
    """
    Hold an invitation as it is now.

    Raises:
        NotAllowedNow: it opens nothing any more.
    """
    held = Invitation.objects.select_for_update(of=("self",)).select_related(
        "invited_by", "benchmark"
    )
    invitation = held.get(pk=invitation.pk)
    if why := find_obstacle(invitation):
        raise NotAllowedNow(why)
    return invitation


@transaction.atomic
def sign_up(*, invitation: Invitation, display_name: str, password: str) -> User:
    """
    Make the account of somebody who was invited, at the address that an admin gave.

    Who has the link had it from there, or from the admin: the address need not be confirmed.

    Raises:
        NotAllowedNow: it opens nothing any more, or the address has an account.
    """
    invitation = _hold(invitation)
    has_account = User.objects.filter(email__iexact=invitation.email).exists()
    is_taken = EmailAddress.objects.filter(email__iexact=invitation.email, verified=True).exists()
    if has_account or is_taken:
        raise NotAllowedNow(
            _(
                "You have an account with this address already. Sign in, or set a new password, "
                "and open the link again."
            )
        )
    person = User.objects.create_user(
        invitation.email.lower(),
        password,
        display_name=display_name,
        interface_language=invitation.language,
    )
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    _take_up(invitation, person)
    return person


@transaction.atomic
def accept(*, invitation: Invitation, person: User) -> PersonChange | Request | None:
    """
    Give somebody who has an account the roles of their invitation; None where they have them.

    Who came to review by a link for several waits: it is a request, for an admin to confirm.

    Raises:
        NotAllowedNow: it opens nothing any more, was sent to another address than theirs, or an
            admin declined that they have the role.
    """
    invitation = _hold(invitation)
    if not is_invited(person, invitation):
        raise NotAllowedNow(
            _(
                "This invitation was sent to another address than yours, so you can’t use it. "
                "Ask an admin to invite you."
            )
        )
    return _take_up(invitation, person)


def _take_up(invitation: Invitation, person: User) -> PersonChange | Request | None:
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    # Never fewer than they have, and never others than the row has, whatever the page sent.
    roles = [*person.roles, *invitation.roles]
    has_all = set(roles) == set(person.roles)
    if has_all and not invitation.email:
        # They leave their place to another.
        return None
    invitation.people.add(person)
    if invitation.people.count() >= invitation.most:
        invitation.accepted_at, invitation.accepted_by = timezone.now(), person
        invitation.save(update_fields=["accepted_at", "accepted_by"])
    if has_all:
        return None
    if invitation.needs_confirmation:
        [role], note = invitation.roles, _("Came by a link of an admin.")
        return ask(person=person, role=role, note=note, benchmark=invitation.benchmark)
    return members.write_roles(
        person, roles, by=invitation.invited_by, how=PersonChange.How.BY_INVITATION
    )
