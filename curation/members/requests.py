"""Ask for a role, take that back, and decide it."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.members import actions
from curation.members.models import PersonChange, RoleRequest
from curation.members.permissions import can_ask_for_role, is_own_request, list_requestable
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import WHAT_A_ROLE_DOES, Role, User

Outcome = RoleRequest.Outcome
UNTIL_ASKED_AGAIN = timedelta(days=7)
"""How long after it was declined somebody may ask for the same role again."""


@transaction.atomic
def ask(*, person: User, role: str, note: str = "") -> RoleRequest:
    """
    Ask for a role; asked twice, it is asked once.

    Raises:
        NotAllowedNow: they hold it, it is not to be asked for, or it was declined a while ago.
    """
    # Two of one person's clicks: the second waits here for the first.
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not can_ask_for_role(person, role):
        raise NotAllowedNow(_("You hold this role already, or can’t ask for it."))
    if declined := find_declined(person, role):
        assert declined.decided_at
        raise NotAllowedNow(
            _("An admin declined this. You can ask again from %(day)s on.")
            % {"day": (declined.decided_at + UNTIL_ASKED_AGAIN).date().isoformat()}
        )
    made, _is_new = RoleRequest.objects.get_or_create(
        person=person, role=role, outcome="", defaults={"note": note.strip()}
    )
    return made


def find_declined(person: User, role: str) -> RoleRequest | None:
    """Return what keeps somebody from asking for a role today, if anything does."""
    since = timezone.now() - UNTIL_ASKED_AGAIN
    declined = person.role_requests.filter(role=role, outcome=Outcome.DECLINED)
    return declined.filter(decided_at__gt=since).last()


@transaction.atomic
def take_back(*, request: RoleRequest, person: User) -> None:
    """
    Take one's own request back; where it is decided already, nothing happens.

    Raises:
        NotAllowedNow: it is not theirs.
    """
    if not is_own_request(person, request):
        raise NotAllowedNow(_("This request is not yours."))
    # An admin who is just granting it holds the person: it is decided once.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    _decide(request, Outcome.TAKEN_BACK, by=person)


@transaction.atomic
def grant(*, request: RoleRequest, by: User) -> PersonChange:
    """
    Give somebody the role that they asked for.

    Raises:
        NotAllowedNow: it was decided or taken back meanwhile, or they may sign in no more.
    """
    person, by = actions.hold(request.person, by)
    if not person.is_active:
        raise NotAllowedNow(_("%(name)s is deactivated.") % {"name": person})
    _check_open(request)
    roles = [*person.roles, request.role]
    # This decides the request with it.
    return actions.write_roles(person, roles, by=by, how=PersonChange.How.ON_REQUEST)


@transaction.atomic
def decline(*, request: RoleRequest, by: User, reason: str) -> None:
    """
    Decline what somebody asks for, and say why: they read it.

    Raises:
        NotAllowedNow: it was decided or taken back meanwhile, or no reason is given.
    """
    _person, by = actions.hold(request.person, by)
    if not reason.strip():
        raise NotAllowedNow(_("Say why. %(name)s reads it.") % {"name": request.person})
    _check_open(request)
    _decide(request, Outcome.DECLINED, by=by, reason=reason.strip())


def _check_open(request: RoleRequest) -> None:
    """Refuse what another has decided first, and say how."""
    now = RoleRequest.objects.select_related("decided_by").get(pk=request.pk)
    if now.outcome == Outcome.TAKEN_BACK:
        raise NotAllowedNow(_("%(name)s has withdrawn this request.") % {"name": now.person})
    if now.outcome == Outcome.GRANTED:
        raise NotAllowedNow(_("%(admin)s has granted this already.") % {"admin": now.decided_by})
    if now.outcome == Outcome.DECLINED:
        raise NotAllowedNow(_("%(admin)s has declined this already.") % {"admin": now.decided_by})


def _decide(request: RoleRequest, outcome: str, *, by: User, reason: str = "") -> None:
    # In one statement: who comes second changes nothing.
    RoleRequest.objects.open().filter(pk=request.pk).update(
        outcome=outcome, decided_at=timezone.now(), decided_by=by, reason=reason
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """A role that somebody may ask for."""

    role: Role
    does: str
    asked: RoleRequest | None
    """Their last request for it."""
    is_askable: bool
    """Whether they may ask for it now."""


def list_standing(person: User) -> list[Standing]:
    """Return each role that somebody may ask for, with their last request."""
    last = {one.role: one for one in person.role_requests.order_by("pk")}
    return [
        Standing(role, str(WHAT_A_ROLE_DOES[role]), last.get(role), _is_askable(last.get(role)))
        for role in list_requestable(person)
    ]


def _is_askable(last: RoleRequest | None) -> bool:
    if last is None or last.outcome in (Outcome.TAKEN_BACK, Outcome.GRANTED):
        return True
    if not last.outcome or last.decided_at is None:
        return False
    return last.decided_at <= timezone.now() - UNTIL_ASKED_AGAIN
