"""Ask for a role, or for what touches a review under way; take that back, and decide it."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.members import actions
from curation.members.actions import hold_problems
from curation.members.models import UNTIL_ASKED_AGAIN, PersonChange, Request, RequestQuerySet
from curation.members.permissions import can_ask_for_role, can_decide, is_own_request
from curation.problems.benchmarks.models import Benchmark
from curation.problems.credits.actions import accept_credit, remove_credit
from curation.problems.people.models import Credit
from curation.problems.permissions import can_answer_offer
from curation.reviewing.assignments import undoing
from curation.reviewing.assignments.undoing import Undone
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User
from phybench.people.names import tidy_name
from phybench.people.permissions import is_sitting
from phybench_grader.numbers.sentences import Sentence

Outcome = Request.Outcome


@transaction.atomic
def ask(*, person: User, role: str, note: str = "", benchmark: Benchmark | None = None) -> Request:
    """
    Ask for a role; asked twice, it is asked once.

    Args:
        benchmark: where they want to work.

    Raises:
        NotAllowedNow: they hold it, it is not to be asked for, or it was declined a while ago.
    """
    # Two of one person's clicks: the second waits here for the first.
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not can_ask_for_role(person, role):
        raise NotAllowedNow(_("You hold this role already, or can’t ask for it."))
    _check_not_declined(person.requests.filter(role=role))
    asked = {"note": note.strip(), "benchmark": benchmark}
    made, _is_new = Request.objects.get_or_create(
        person=person, role=role, outcome="", defaults=asked
    )
    return made


@transaction.atomic
def take_back(*, request: Request, person: User) -> None:
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
def change_institution(*, person: User, name: str) -> PersonChange | Request | None:
    """
    Say where one works: at once, or a request where it has to wait; None where nothing changes.

    It waits where it touches a review under way, and where one said something else not long ago:
    with one name after another somebody would be in conflict with everybody.

    Raises:
        NotAllowedNow: an admin declined the same a while ago.
    """
    name = tidy_name(name)
    waits = actions.must_wait(person, name)
    if not waits:
        change = actions.set_institution(person=person, name=name, by=person)
    # Two of one person's clicks: the second waits here for the first.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    for earlier in person.requests.open().exclude(institution=""):
        if earlier.institution == name:
            return earlier
        # The newest wish counts.
        take_back(request=earlier, person=person)
    if not waits:
        return change
    _check_not_declined(person.requests.filter(institution=name))
    return Request.objects.create(person=person, institution=name)


@transaction.atomic
def accept_offer(*, credit: Credit, person: User) -> Credit | Request:
    """
    Accept a credit: at once, or a request where it touches a review under way.

    Raises:
        NotAllowedNow: it is not offered to them any more, an admin declined it a while ago, or they
            sit a session.
    """
    credit = _hold_offer(credit, person)
    if is_sitting(person):
        raise NotAllowedNow(_("You can accept this after your session."))
    if not undoing.list_touched_by_credit(credit).exists():
        return accept_credit(credit=credit, by=person)
    _check_not_declined(credit.requests.all())
    made, _is_new = Request.objects.get_or_create(person=person, credit=credit, outcome="")
    return made


@transaction.atomic
def decline_offer(*, credit: Credit, person: User) -> None:
    """
    Decline a credit: it leaves nothing behind that bars its person from anything.

    Raises:
        NotAllowedNow: it is not offered to them any more.
    """
    credit = _hold_offer(credit, person)
    for waiting in credit.requests.open():
        take_back(request=waiting, person=person)
    remove_credit(credit=credit, by=person)


def _hold_offer(credit: Credit, person: User) -> Credit:
    """Hold the problem of what is offered to `person`; refuse what is not offered any more."""
    credit.problem.locked()
    credit = Credit.objects.select_related("problem", "person").get(pk=credit.pk)
    if not can_answer_offer(person, credit):
        raise NotAllowedNow(_("This is not offered to you any more."))
    return credit


def _check_not_declined(earlier: RequestQuerySet) -> None:
    last = earlier.filter(outcome=Outcome.DECLINED).last()
    if last and last.decided_at and not last.is_long_ago:
        raise NotAllowedNow(
            _("An admin declined this. You can ask again from %(day)s on.")
            % {"day": (last.decided_at + UNTIL_ASKED_AGAIN).date().isoformat()}
        )


def find_undone(request: Request) -> Undone:
    """Return what an admin undoes who grants it; a role undoes nothing."""
    if request.credit is not None:
        return undoing.find_by_credit(request.credit)
    if request.institution:
        return undoing.find_by_institution(request.person, request.institution)
    return Undone()


def say_who_decides(request: Request, by: User) -> str:
    """Say why an admin must not decide it, and who can; "" where they may."""
    if not can_decide(by, request):
        return _("Another admin decides what you ask for yourself.")
    if request.credit is not None:
        return undoing.say_who_agrees(by, undoing.list_touched_by_credit(request.credit))
    if request.institution:
        return undoing.say_who_agrees(by, undoing.list_touched_by_institution(request.person))
    return ""


@transaction.atomic
def grant(*, request: Request, by: User, known: str = "") -> None:
    """
    Give somebody what they asked for, with all that this undoes.

    Args:
        known: `Undone.known` of what the admin was shown.

    Raises:
        NotAllowedNow: it was decided or taken back meanwhile, it undoes something else by now, it
            is another's to decide, or they may sign in no more.
    """
    # Problems are held before people, wherever both are.
    hold_problems(find_undone(request), request.credit)
    by, person = actions.hold(by, request.person)
    if not person.is_active:
        raise NotAllowedNow(_("%(name)s is deactivated.") % {"name": person})
    _check_open(request)
    if request.role:
        roles = [*person.roles, request.role]
        # This decides the request with it.
        actions.write_roles(person, roles, by=by, how=PersonChange.How.ON_REQUEST)
        return
    if why_not := say_who_decides(request, by):
        raise NotAllowedNow(why_not)
    undone = find_undone(request)
    actions.check_known(undone, known)
    if request.credit is not None:
        accept_credit(credit=request.credit, by=person)
        undoing.undo(undone, by=by, message=Sentence("released_credit"))
    else:
        actions.write_institution(
            person, request.institution, by=by, how=PersonChange.How.ON_REQUEST, undone=undone
        )
    _decide(request, Outcome.GRANTED, by=by)


@transaction.atomic
def decline(*, request: Request, by: User, reason: str) -> None:
    """
    Decline what somebody asks for, and say why: they read it.

    Raises:
        NotAllowedNow: it was decided or taken back meanwhile, is another's to decide, or no reason
            is given.
    """
    by, _person = actions.hold(by, request.person)
    if not reason.strip():
        raise NotAllowedNow(_("Say why. %(name)s reads it.") % {"name": request.person})
    _check_open(request)
    if why_not := say_who_decides(request, by):
        raise NotAllowedNow(why_not)
    _decide(request, Outcome.DECLINED, by=by, reason=reason.strip())


def _check_open(request: Request) -> None:
    """Refuse what another has decided first, and say how."""
    now = Request.objects.select_related("decided_by").get(pk=request.pk)
    if now.outcome == Outcome.TAKEN_BACK:
        raise NotAllowedNow(_("%(name)s has withdrawn this request.") % {"name": now.person})
    if now.credit and now.credit.removed_at:
        raise NotAllowedNow(_("This credit is not offered any more."))
    if now.outcome == Outcome.GRANTED:
        raise NotAllowedNow(_("%(admin)s has granted this already.") % {"admin": now.decided_by})
    if now.outcome == Outcome.DECLINED:
        raise NotAllowedNow(_("%(admin)s has declined this already.") % {"admin": now.decided_by})


def _decide(request: Request, outcome: str, *, by: User, reason: str = "") -> None:
    # In one statement: who comes second changes nothing.
    Request.objects.open().filter(pk=request.pk).update(
        outcome=outcome, decided_at=timezone.now(), decided_by=by, reason=reason
    )
