"""What a browser sends of a session: saves, steps and traces in the order in which they came."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.texts.workflow import NotAllowedNow
from grading.studies.sessions import actions
from grading.studies.sessions.models import Save, Session, SessionItem, Trace
from phybench.people.models import User

MOST_EVENTS = 500
"""In one request; a browser that was offline for long sends several."""
FARTHEST = 1000
"""How far a number may be ahead of the newest: a wrong one would keep later saves from counting."""
MOST_AMOUNT = 24 * 3600 * 1000
"""Milliseconds, or characters, of one trace."""
STEPS = ("OPENED", "MARK", "UNMARK", "SEEN", "GAVE_UP", "GO_ON")
"""What somebody does with a problem besides writing."""
KINDS = (*Save.Kind.values, *Trace.Kind.values, *STEPS)
LONGEST_TAB = 40
_HALF_SIGNS = re.compile("[\ud800-\udfff]")
"""Halves of signs outside the first plane: browsers send them where somebody deleted the other."""


class Malformed(ValueError):
    """What no page of ours sends."""

    def __init__(self) -> None:
        super().__init__(_("This is not what the page of a session sends. Load it again."))


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a browser."""

    place: int
    kind: str
    number: int = 0
    """Of a save: its number; of a trace: milliseconds or characters."""
    text: str = ""
    """Of a save; of giving up: why."""
    moment: int = 0
    """Of a trace: milliseconds on the browser's clock, which may be wrong by decades."""


class Refused(NamedTuple):
    """A step that was not taken, and how its problem stands."""

    place: int
    why: str
    is_seen: bool
    has_given_up: bool


class NotKept(NamedTuple):
    """A save whose number was taken by another text: its browser gives it the next that is free."""

    event: int
    """Its place among those that were sent, from 0."""
    place: int
    kind: str
    number: int


@dataclass(slots=True)
class Told:
    """What the browser is answered."""

    now: datetime
    ends_at: datetime
    has_ended: bool
    """Whether the time is up: nothing counts any more."""
    is_handed_in: bool
    newest: dict[int, int] = field(default_factory=dict)
    """By place: the newest number of a save."""
    late: int = 0
    """Saves that came after the end: kept, not graded."""
    not_kept: list[NotKept] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    """Why steps were not taken."""


def read_events(sent: Any) -> list[Event]:
    """
    Read what a browser sent.

    Raises:
        Malformed: it is nothing that the page sends.
    """
    if not isinstance(sent, list) or len(sent) > MOST_EVENTS:
        raise Malformed
    return [_read_event(one) for one in sent]


def _read_event(sent: Any) -> Event:
    match sent:
        case {"place": int(place), "kind": str(kind)} if kind in KINDS:
            number, text = sent.get("number", 0), sent.get("text", "")
            moment = sent.get("moment", 0)
            are_numbers = type(number) is int and type(moment) is int
            if (
                are_numbers
                and isinstance(text, str)
                and 0 <= number < 2**31
                and abs(moment) < 2**53
            ):
                return Event(place, kind, number, _clean(text), moment)
    raise Malformed


def _clean(text: str) -> str:
    """Leave out what PostgreSQL can't keep: refused, it would keep all later saves away too."""
    return _HALF_SIGNS.sub("\ufffd", text.replace("\0", ""))


def read_tab(sent: object) -> str:
    """
    Read which tab sends.

    Raises:
        Malformed: it has no name: every tab could save after it.
    """
    if isinstance(sent, str) and 0 < len(sent) <= LONGEST_TAB and _clean(sent) == sent:
        return sent
    raise Malformed


@transaction.atomic
def take(
    *,
    session: Session,
    person: User,
    tab: str,
    events: Sequence[Event],
    at: datetime | None = None,
) -> Told:
    """
    Keep what a browser sent, in its order; sent twice, it is the same.

    Args:
        at: when it came, where that is not now: in sessions that are simulated.

    Raises:
        PermissionDenied: the session is somebody else's.
        OtherTab: another tab has the session.
        Malformed: a problem that is not of the session, or a number that can't be.
    """
    held = actions.hold(session, person)
    if held.tab and held.tab != tab:
        raise actions.OtherTab(
            _("This session goes on in another tab. Go on here to save here again.")
        )
    now = at or timezone.now()
    Session.objects.filter(pk=held.pk).update(tab=tab, seen_at=now)
    told = Told(
        now,
        held.ends_at,
        has_ended=not held.is_open(now),
        is_handed_in=held.ended_at is not None,
    )
    if not events:
        return told
    items = {one.place: one for one in held.items.annotate(newest=Max("saves__number"))}
    if any(event.place not in items for event in events):
        raise Malformed
    _keep_saves(events, items, tab, told)
    _keep_traces(events, items, told)
    for event in events:
        if event.kind in STEPS:
            _step(event, items[event.place], person, told)
    return told


def _keep_saves(events: Iterable[Event], items: Mapping[int, Any], tab: str, told: Told) -> None:
    rows: dict[int, Save] = {}
    told.newest = {place: item.newest or 0 for place, item in items.items()}
    for index, event in enumerate(events):
        if event.kind not in Save.Kind.values:
            continue
        if not 1 <= event.number <= told.newest[event.place] + FARTHEST:
            raise Malformed
        told.newest[event.place] = max(told.newest[event.place], event.number)
        rows[index] = Save(
            item=items[event.place],
            number=event.number,
            kind=event.kind,
            text=event.text[: actions.LONGEST],
            tab=tab,
            arrived_at=told.now,
            is_late=told.has_ended,
        )
    if not rows:
        return
    Save.objects.bulk_create(rows.values(), ignore_conflicts=True)
    kept = _find_kept(rows.values())
    told.not_kept = [
        NotKept(index, row.item.place, row.kind, row.number)
        for index, row in rows.items()
        # What is sent again as it was is kept already.
        if kept[row.item_id, row.number] != (row.kind, row.text)
    ]
    if told.has_ended:
        told.late = len(rows) - len(told.not_kept)


def _find_kept(rows: Collection[Save]) -> dict[tuple[int, int], tuple[str, str]]:
    """Return what is kept under the numbers of these saves, whosever it is."""
    found = Save.objects.filter(
        item__in={row.item_id for row in rows}, number__in={row.number for row in rows}
    )
    return {
        (item, number): (kind, text)
        for item, number, kind, text in found.values_list("item", "number", "kind", "text")
    }


def _keep_traces(events: Iterable[Event], items: Mapping[int, Any], told: Told) -> None:
    if told.has_ended:
        return
    rows = [
        Trace(
            item=items[event.place],
            kind=event.kind,
            moment=event.moment,
            amount=min(event.number, MOST_AMOUNT),
            at=told.now,
        )
        for event in events
        if event.kind in Trace.Kind.values
    ]
    Trace.objects.bulk_create(rows, ignore_conflicts=True)


def _step(event: Event, item: SessionItem, person: User, told: Told) -> None:
    try:
        match event.kind:
            case "OPENED":
                actions.open_item(item=item, person=person, at=told.now)
            case "MARK" | "UNMARK":
                is_marked = event.kind == "MARK"
                actions.mark(item=item, person=person, is_marked=is_marked, at=told.now)
            case "SEEN":
                actions.say_seen(item=item, person=person, at=told.now)
            case "GAVE_UP":
                actions.give_up(item=item, person=person, why=event.text, at=told.now)
            case "GO_ON":
                actions.go_on(item=item, person=person, at=told.now)
    except NotAllowedNow as refused:
        stands = SessionItem.objects.get(pk=item.pk)
        told.refused.append(
            Refused(
                event.place,
                str(refused),
                is_seen=stands.seen_before_at is not None,
                has_given_up=stands.gave_up_at is not None,
            )
        )


def list_texts(session: Session) -> dict[int, dict[str, Any]]:
    """Return by place what counts now of each box, and the newest number."""
    texts: dict[int, dict[str, Any]] = {
        one.place: {"answer": "", "notes": "", "number": one.newest or 0}
        for one in session.items.annotate(newest=Max("saves__number"))
    }
    newest = (
        Save.objects.in_time()
        .filter(item__session=session)
        .order_by("item_id", "kind", "-number")
        .distinct("item_id", "kind")
        .values_list("item__place", "kind", "text")
    )
    for place, kind, text in newest:
        texts[place][kind.lower()] = text
    return texts
