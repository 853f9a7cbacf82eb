"""
Take part: consent, start, save, give up, end. The clock is the server's.

`at` is when something was done, where that is not now: in sessions that are simulated. No page
passes it.
"""

import secrets
from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.exposures.models import Exposure
from curation.texts.workflow import NotAllowedNow
from curation.versions.permissions import list_to_answer
from grading.answers.actions import take_answer
from grading.answers.permissions import list_own_answers
from grading.studies.actions import freeze, tell_results
from grading.studies.models import Participation, Study
from grading.studies.permissions import may_join, runs_studies
from grading.studies.sessions.assigning import Candidate, choose
from grading.studies.sessions.models import GRACE, Exclusion, Extension, Save, Session, SessionItem
from grading.studies.sessions.permissions import has_left, may_sit
from phybench.people.models import User

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of pseudonyms: none that can be taken for another."""
LONGEST = 20_000
"""Characters of one save."""
A_SLIP = timedelta(minutes=1)
"""How long it can be taken back that a problem was seen before: time for a wrong click only."""


class SessionOver(NotAllowedNow):
    """The session has ended; what was saved before counts."""


class OtherTab(NotAllowedNow):
    """Another tab, or another device, has gone on with the session."""


@transaction.atomic
def join(
    *,
    study: Study,
    person: User,
    consents: bool,
    answers: dict[str, str],
    attests: bool = False,
    secret: str = "",
    at: datetime | None = None,
) -> Participation:
    """
    Have somebody take part, by a new pseudonym; asked twice, it is the same.

    Who joined before the consent was changed, and has not started, consents anew.

    Args:
        attests: that they say what the study has them attest, where it does.
        secret: of the link that they came by, where there is one.

    Raises:
        PermissionDenied: they may not take part.
        NotAllowedNow: it is not open or full, or they don't consent or attest.
    """
    now = at or timezone.now()
    # One after the other: the last place is given once.
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    there = study.participations.filter(person=person).first()
    if there is None and not may_join(person, study, secret):
        raise PermissionDenied(_("You can’t take part in this study."))
    if there is not None and (there.agrees_to(study) or hasattr(there, "session")):
        return there
    if not Study.objects.accessible(now).filter(pk=study.pk).exists():
        raise NotAllowedNow(_("This study is not open now."))
    is_full = study.participations.staying().count() >= study.most_people
    if there is None and is_full:
        raise NotAllowedNow(_("This study has as many people as it wants."))
    if there is None and has_left(person, study):
        raise NotAllowedNow(
            _("You withdrew after you had seen problems of this study. You can’t join it again.")
        )
    if not consents:
        raise NotAllowedNow(_("You take part only with your consent. Tick it, or leave the page."))
    if study.attestation.strip() and not attests:
        raise NotAllowedNow(
            _("This study asks you to attest something. Tick it, or leave the page.")
        )
    made = there or Participation(
        study=study,
        person=person,
        pseudonym="P-" + "".join(secrets.choice(LETTERS) for _place in range(6)),
    )
    made.consent_version, made.consent_sha256 = study.consent_version, study.consent_sha256
    made.consented_at, made.attested_at = now, now if attests else None
    made.answers = answers
    made.save()
    return made


@transaction.atomic
def practise(*, participation: Participation, at: datetime | None = None) -> None:
    """Write down that somebody has answered the practice problem, the first time."""
    Participation.objects.filter(pk=participation.pk, practised_at=None).update(
        practised_at=at or timezone.now()
    )


@transaction.atomic
def start(
    *, participation: Participation, seed: int | None = None, at: datetime | None = None
) -> Session:
    """
    Choose somebody’s problems and start their clock; asked twice, it is the same session.

    Raises:
        NotAllowedNow: the study is not open, has too few problems for this person, or they have
            not practised.
    """
    now = at or timezone.now()
    study = Study.objects.select_for_update(no_key=True).get(pk=participation.study_id)
    if there := Session.objects.filter(participation=participation).first():
        return there
    is_open = Study.objects.accessible(now).filter(pk=study.pk).exists()
    if participation.person is None or not is_open:
        raise NotAllowedNow(_("This study is not open now."))
    if not Participation.objects.filter(pk=participation.pk, practised_at__isnull=False).exists():
        raise NotAllowedNow(_("Answer the practice problem first."))
    if not Participation.objects.get(pk=participation.pk).agrees_to(study):
        raise NotAllowedNow(_("The consent text has changed. Read it and decide again."))
    freeze(study=study, at=now)
    seed = secrets.randbelow(2**53) if seed is None else seed
    chosen = choose(list_candidates(study, participation.person), study.problems, seed)
    if len(chosen) < study.problems:
        raise NotAllowedNow(
            _(
                "You know too many of the problems of this study. Left: %(left)d. A session needs "
                "%(count)d."
            )
            % {"left": len(chosen), "count": study.problems}
        )
    ends_at = now + timedelta(minutes=study.minutes)
    session = Session.objects.create(
        participation=participation,
        seed=seed,
        started_at=now,
        ends_at=ends_at,
        next_at=ends_at + GRACE,
        seen_at=now,
    )
    SessionItem.objects.bulk_create(
        SessionItem(session=session, place=place, study_item_id=pk)
        for place, pk in enumerate(chosen, 1)
    )
    note_sitting(participation.person)
    return session


def note_sitting(person: User) -> None:
    """Write down with somebody until when they sit, after a session of theirs has changed."""
    # One after the other: of two at once each would miss the other session.
    own = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    going_on = Session.objects.going_on().filter(participation__person=own).order_by("-ends_at")
    User.objects.filter(pk=own.pk).update(sits_until=Subquery(going_on.values("ends_at")[:1]))


def list_candidates(study: Study, person: User) -> list[Candidate]:
    """List what this person may get: nothing that they had a part in, were shown, or answered."""
    shown = Exposure.objects.filter(person=person).values("revision__problem")
    answered = list_own_answers(person).values("revision__problem")
    rows = (
        study.items.filter(
            item__in=study.version.items.standing(),
            item__problem__in=list_to_answer(person),
        )
        .exclude(item__problem__in=shown)
        .exclude(item__problem__in=answered)
        .annotate(given=Count("sat"))
        .values_list("pk", "item__problem__domain", "item__problem__difficulty", "given")
    )
    return [Candidate(*row) for row in rows]


def take_over(*, session: Session, person: User, tab: str) -> None:
    """Have this tab be the one that saves."""
    with transaction.atomic():
        held = hold(session, person)
        Session.objects.filter(pk=held.pk).update(tab=tab, seen_at=timezone.now())


@transaction.atomic
def open_item(*, item: SessionItem, person: User, at: datetime | None = None) -> None:
    """Write down that somebody is shown a problem, the first time."""
    hold(item.session, person)
    SessionItem.objects.filter(pk=item.pk, opened_at=None).update(opened_at=at or timezone.now())
    ledger.record(person, Reason.SIT, item.study_item.item.revision)


@transaction.atomic
def mark(*, item: SessionItem, person: User, is_marked: bool, at: datetime | None = None) -> None:
    """Mark a problem for later, or take the mark off."""
    _hold_open(item.session, person, at)
    SessionItem.objects.filter(pk=item.pk).update(is_marked=is_marked)


@transaction.atomic
def say_seen(*, item: SessionItem, person: User, at: datetime | None = None) -> None:
    """
    Void a problem that somebody has seen before.

    Raises:
        NotAllowedNow: they have begun to write: by then they know how hard it is.
    """
    _hold_open(item.session, person, at)
    if item.saves.exclude(text="").exists():
        raise NotAllowedNow(
            _("You have begun to answer this problem, so it counts. Answer it, or give it up.")
        )
    SessionItem.objects.filter(pk=item.pk, seen_before_at=None).update(
        seen_before_at=at or timezone.now()
    )


@transaction.atomic
def give_up(*, item: SessionItem, person: User, why: str, at: datetime | None = None) -> None:
    """
    Give a problem up, with a reason; `go_on` takes it back.

    Raises:
        NotAllowedNow: without a reason.
    """
    _hold_open(item.session, person, at)
    if not why.strip():
        raise NotAllowedNow(_("Say in a few words why you give this problem up."))
    SessionItem.objects.filter(pk=item.pk).update(
        gave_up_at=at or timezone.now(), why_gave_up=why.strip()[:500]
    )


@transaction.atomic
def go_on(*, item: SessionItem, person: User, at: datetime | None = None) -> None:
    """
    Take back that a problem was given up, or was seen before.

    Raises:
        NotAllowedNow: they have worked on it, or could have, while it was void: who takes back
            only what went well would choose what counts.
    """
    _hold_open(item.session, person, at)
    void_since = SessionItem.objects.values_list("seen_before_at", flat=True).get(pk=item.pk)
    if void_since is not None:
        is_slip = (at or timezone.now()) - void_since <= A_SLIP
        if not is_slip or item.saves.exclude(text="").exists():
            raise NotAllowedNow(_("You said that you had seen this problem, so it does not count."))
    SessionItem.objects.filter(pk=item.pk).update(
        gave_up_at=None, why_gave_up="", seen_before_at=None
    )


@transaction.atomic
def leave_out(
    *, participation: Participation, by: User, why: str, at: datetime | None = None
) -> None:
    """
    Leave somebody out of a study's results; their answers stay, and both counts are shown.

    Raises:
        PermissionDenied: `by` runs no studies.
        NotAllowedNow: no reason is given.
    """
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins leave people out of the results."))
    if not why.strip():
        raise NotAllowedNow(_("Say why this person is left out: the report shows it."))
    Exclusion.objects.get_or_create(
        participation=participation,
        defaults={"why": why.strip()[:500], "by": by, "at": at or timezone.now()},
    )


@transaction.atomic
def hand_in(*, session: Session, person: User, at: datetime | None = None) -> None:
    """
    End a session before its time is up; asked twice, it is ended once.

    Who leaves a problem empty, and has not given it up, has stopped early.
    """
    held = hold(session, person)
    if held.ended_at is None:
        end(held, Session.Ending.HANDED_IN, at)


@transaction.atomic
def extend(
    *, session: Session, by: User, minutes: int, why: str, at: datetime | None = None
) -> None:
    """
    Give somebody more time.

    Raises:
        PermissionDenied: `by` runs no studies.
        NotAllowedNow: the session has ended, or no reason is given.
    """
    if not runs_studies(by):
        raise PermissionDenied(_("Only admins give more time."))
    found = Session.objects.select_related("participation__person")
    held = found.select_for_update(of=("self",), no_key=True).get(pk=session.pk)
    if held.ended_at is not None:
        raise SessionOver(_("This session has ended."))
    if not why.strip() or minutes < 1:
        raise NotAllowedNow(_("Say why, and how many minutes: 1 or more."))
    Extension.objects.create(
        session=held,
        minutes=minutes,
        why=why.strip()[:500],
        by=by,
        at=at or timezone.now(),
    )
    ends_at = held.ends_at + timedelta(minutes=minutes)
    Session.objects.filter(pk=held.pk).update(ends_at=ends_at, next_at=ends_at + GRACE)
    if held.participation.person is not None:
        note_sitting(held.participation.person)


@transaction.atomic
def say_aids(*, session: Session, person: User, kept: bool) -> None:
    """
    Keep whether somebody kept to the allowed aids, as they say after the session; once.

    Raises:
        PermissionDenied: it is somebody else's session.
        NotAllowedNow: it goes on.
    """
    held = hold(session, person)
    if held.ended_at is None:
        raise NotAllowedNow(_("Say this after the session."))
    Session.objects.filter(pk=held.pk, kept_to_aids=None).update(kept_to_aids=kept)


def end(session: Session, ending: str, at: datetime | None = None) -> None:
    """End a session that the caller holds: what was saved last in time is handed in."""
    person = session.participation.person
    outcomes = set()
    for item in session.items.select_related("study_item__item__revision"):
        newest = Save.objects.filter(item=item).newest(Save.Kind.ANSWER)
        text = newest.text.strip() if newest else ""
        if item.seen_before_at:
            item.outcome = SessionItem.Outcome.SEEN
        elif item.gave_up_at:
            item.outcome = SessionItem.Outcome.GAVE_UP
        elif not text or person is None:
            item.outcome = SessionItem.Outcome.EMPTY
        else:
            item.outcome = SessionItem.Outcome.ANSWERED
            revision = item.study_item.item.revision
            item.attempt = take_answer(revision=revision, person=person, response=text)
        outcomes.add(item.outcome)
        item.save(update_fields=["outcome", "attempt"])
    if ending == Session.Ending.HANDED_IN and SessionItem.Outcome.EMPTY in outcomes:
        ending = Session.Ending.STOPPED
    Session.objects.filter(pk=session.pk).update(
        ended_at=at or timezone.now(), ending=ending, next_at=None
    )
    tell_results(session.participation.study, at)
    if person is not None:
        note_sitting(person)


def hold(session: Session, person: User) -> Session:
    """
    Hold a session until the transaction ends.

    Raises:
        PermissionDenied: it is somebody else's.
    """
    held = (
        Session.objects.select_for_update(of=("self",), no_key=True)
        .select_related("participation")
        .filter(pk=session.pk)
        .first()
    )
    # A withdrawal may have deleted it a moment ago.
    if held is None or not may_sit(person, held):
        raise PermissionDenied(_("This session is somebody else’s."))
    return held


def _hold_open(session: Session, person: User, at: datetime | None) -> Session:
    held = hold(session, person)
    if not held.is_open(at or timezone.now()):
        raise SessionOver(_("The session has ended. What was saved in time is submitted."))
    return held
