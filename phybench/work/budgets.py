"""
How much anybody can make the server keep or compute: every limit stands here, with its reason.

A limit lets so much through at once and as much again in the course of an hour, so that it holds
for any minute and any hour, not only for those of a clock. What was used is counted in a table of
PostgreSQL that all processes share. No crash keeps it, and nothing waits for a disk: counting takes
one statement of a third of a millisecond.

`phybench/charging.py` charges every request that may bring something, before its body is read:
whatever address is added has the budget `WRITING` until it is named here.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

KB, MB = 1000, 1000 * 1000
HOUR = 3600.0
MONTH = 30 * 24 * HOUR
TABLE = "shared_spent"
"""`phybench/migrations/_by_hand.py` makes it: of no row anybody is to look at one."""


@dataclass(frozen=True, slots=True)
class Limit:
    """So much at once; what is used comes back evenly, `refill` of it in `seconds`."""

    name: str
    at_once: float
    refill: float
    seconds: float

    @property
    def a_second(self) -> float:
        return self.refill / self.seconds


def _limit_minutes() -> Limit:
    """
    Bytes that one person may have kept: 20 MB in any minute and 100 MB in any hour.

    Who types needs a hundredth: sixty saves a minute of 2 kB are 0.25 MB with what stands around
    them. Three pages of notes, 20 kB, stored whole after each pause for an hour, are 72 MB. Answers
    of a model to 575 problems, four each, are 4 MB packed and 10 MB unpacked.
    """
    minute, hour = settings.MEGABYTES_A_MINUTE * MB, settings.MEGABYTES_AN_HOUR * MB
    refill = max(0.0, (hour - minute) * 60 / 59)
    return Limit("kept", minute - refill / 60, refill, HOUR)


def _limit_months() -> Limit:
    """
    Bytes in all: what one person may have added in thirty days.

    A study of four hours leaves 15 MB, a year of an author's drafts less than 100 MB, and a
    submission of 64 answers a problem 160 MB.
    """
    most = settings.MEGABYTES_A_MONTH * MB
    return Limit("in all", most / 2, most / 2, MONTH)


def _limit_visitors() -> Limit:
    """
    Bytes from one network address without an account: it may be that of a whole university.

    A report or a form to sign up has 2 kB at most: 1,000 people of one address in a minute, and
    5,000 in an hour.
    """
    return Limit("visitors", 4 * MB, 16 * MB, HOUR)


def _limit_seconds() -> Limit:
    """
    Seconds of processor time: two minutes at once, and half a processor from then on.

    A preview takes 0.1 to 0.5 s and comes after a pause in typing: 20 of them a minute for an hour
    are 600 s at most. A certificate takes 5 to 60 s, and an author asks for a few in an hour.
    """
    return Limit("computed", 120.0, 1800.0, HOUR)


Measure = Callable[[], Limit]
KEPT: Final[Measure] = _limit_minutes
IN_ALL: Final[Measure] = _limit_months
VISITORS: Final[Measure] = _limit_visitors
COMPUTED: Final[Measure] = _limit_seconds

A_REQUEST = 2 * KB
"""
What a request leaves behind beside its body: rows, their indexes, and versions of rows that it
replaced. Measured over the forms of all roles: 0.3 to 1.6 kB.
"""
A_ROW = 250
"""What a short row takes with its indexes, where one request brings many: 140 to 230 bytes."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What is taken of a request to some addresses, and what it is counted as."""

    name: str
    largest: int
    """Bytes of a body; a larger one is refused whole."""
    times: float = 1.0
    """What is kept of each byte that comes."""
    fixed: int = A_REQUEST
    """What is kept whatever comes."""
    computes: bool = False
    """Whether it takes a processor: then also seconds have to be left."""

    def weigh(self, length: int) -> float:
        return self.fixed + self.times * length


LARGEST_FORM = 2 * 1024**2
"""
Bytes of a form's text, and of what a session's page sends at once: that sends 300,000 signs at
most, which are 1.8 MB where each is written as an escape. The longest form, a problem with its
solution, has 0.2 MB. `DATA_UPLOAD_MAX_MEMORY_SIZE` is the same, so that nothing refuses sooner.
"""

WRITING = Budget("writing", LARGEST_FORM, times=2.0)
"""What people write: a text, its indexes, and at times the version that it replaces."""
SAVES = Budget("saves", LARGEST_FORM, times=1.2)
"""
What a session's page sends; each event counts besides (`A_ROW`), since it is a row. Letters without
an order take 1.1 times their bytes in PostgreSQL, and text half of them.
"""
DRAFTING = Budget("drafting", LARGEST_FORM, times=2.0, computes=True)
"""The editor: a draft is stored, and tried."""
PREVIEWS = Budget("previews", LARGEST_FORM, times=0.0, fixed=0, computes=True)
"""Nothing is kept. Some are only looked at, and take a processor all the same."""
ANSWERING = Budget("answering", LARGEST_FORM, computes=True)
"""Answers that are graded while somebody waits."""
MANY_ROWS = Budget("many rows", LARGEST_FORM, fixed=400 * KB)
"""
One press makes a row for each problem or answer: 575 problems with four answers each are 2,300 rows
of 170 bytes. Forty at once, and 200 in an hour.
"""
FILES = Budget("files", 210 * MB, times=1.1)
"""
A file is kept as it came, and what is read from it is counted as it is read
(`grading/submissions/drafts/reading.py`). What exceeds a minute's bytes is refused whole.
"""
IMPORTS = Budget("imports", 210 * MB, times=3.0)
"""
Files of problems or labels. A row is kept as it came and as it is read, and counts besides
(`AN_IMPORTED_ROW`); what a row becomes is counted when it is carried out.
"""
AN_IMPORTED_ROW = 500
"""What a row takes of which there is nothing but what is wrong with it: 490 bytes."""
SIGNING_IN = Budget("signing in", 64 * KB, fixed=KB)
"""Accounts: the longest form has six short fields."""
_NAMED: Mapping[Budget, str] = {
    SAVES: "grading:sync_session grading:take_over",
    DRAFTING: """
        curation:new curation:edit curation:submit curation:new?part=save curation:edit?part=save
        curation:translation?do=check
    """,
    PREVIEWS: """
        curation:new?part=preview curation:new?part=second curation:edit?part=preview
        curation:edit?part=second curation:translation?part=preview grading:read_as
        grading:read_as?of=review grading:read_as?of=session grading:read_as?of=preview
        grading:read_as?of=practice grading:read_as?of=repair grading:read_as?of=contest
        grading:design curation:compare
        curation:similar?part=count grading:contest_values grading:sittings
    """,
    ANSWERING: """
        curation:review?do=solve grading:answer grading:practise grading:repair grading:hand_in
    """,
    MANY_ROWS: """
        curation:versions?do=new curation:version?do=refresh curation:publish_version
        curation:assignments?show=spread curation:import?do=carry_out curation:version?do=draw
        curation:invite
        grading:draft?do=grade grading:begin_regrade grading:renew_regrade
        grading:adopt_regrade grading:new_judge_run grading:judge_again grading:new_model_run
        grading:ask_model_again grading:trials grading:ask_again grading:new_audit
        grading:new_first_error_sample grading:new_study grading:edit_study grading:open_study
        grading:end_study grading:invite grading:start grading:change_pool
        grading:grade_repairs_again measure_again freeze_panel api:grade_draft
        grading:look_again grading:correct_key grading:submission?do=try_again
        grading:hidden?do=again grading:take_labels grading:send_letters_again
    """,
    FILES: """
        grading:upload grading:draft?do=add grading:import_reported
        grading:judge_files grading:judge_prompts api:parts
    """,
    IMPORTS: "curation:imports grading:label_files",
    SIGNING_IN: """
        account_login account_signup account_logout account_reauthenticate account_email
        curation:set_up sign_in_as
        account_email_verification_sent account_change_password account_set_password
        account_reset_password account_reset_password_from_key account_confirm_email
        account_confirm_login_code choose_language choose_scheme
    """,
}
_OF_ADDRESSES = {name: budget for budget, names in _NAMED.items() for name in names.split()}
NAMED = frozenset(_OF_ADDRESSES)
"""Addresses that have another budget than `WRITING`."""


def find_budget(address: str) -> Budget:
    """Return the budget of an address, by its name as `reverse` takes it."""
    return _OF_ADDRESSES.get(address, WRITING)


def find_largest(budget: Budget) -> int:
    """Return the bytes of a body that an address takes: of a file, what is kept in a minute."""
    if budget not in (FILES, IMPORTS):
        return budget.largest
    return int(min(budget.largest, (KEPT().at_once - budget.fixed) / budget.times))


TRIES = {
    "login": None,
    # As a person mistypes: then another minute is no loss. `phybench/people/accounts.py` says how
    # these work together.
    "login_failed": "5/5m/key",
    "login_address": "100/m/ip",
    "login_slowed": "20/5m/key",
    # E-mails to one address in a day, by all pages on which somebody can type it: its owner may not
    # even have an account. Who lost a password needs one, and its link works for three days.
    "mail": "6/d/key",
    "reset_password": "20/m/ip",
    # Errors that are reported without an account: `grading/board/visitor_views.py`. A class of
    # students that looks at a board together finds less.
    "visitor_report": "10/h/ip",
}
"""How often something may be tried: allauth counts it, in the cache that processes share."""

WAITING_FILES = 500 * MB
"""
Bytes of all files of an organisation that are not graded yet: thirty times what a model's answers
to 575 problems, 16 each, take packed. The number of drafts does not matter.
"""
WAITING_ANSWERS = 2000 * MB
"""Characters of responses in them: a packed file may unpack to much."""
UNMATCHED_DAYS = 1
"""After which a draft goes none of whose answers is to a problem: its sender saw that at once."""
UNTOUCHED_DAYS = 14
"""After which another goes that nobody added to or changed: two weeks are a holiday."""


class OverBudget(Exception):
    """More than is taken for now. Its message says so, and when to try again."""

    def __init__(self, limit: Limit, seconds: float) -> None:
        self.limit = limit
        self.seconds = max(1, math.ceil(min(seconds, limit.seconds)))
        super().__init__(self._say())

    def _say(self) -> str:
        if self.limit.name == "computed":
            why = _("The server computed much for you in a short time.")
        else:
            why = _("You sent more in a short time than the server keeps.")
        kept = _("Nothing of this was saved, and nothing is lost here:")
        return f"{why} {kept} {self._say_when()}"

    def _say_when(self) -> str:
        if self.seconds < 100:
            return ngettext(
                "try again in %(count)d second.", "try again in %(count)d seconds.", self.seconds
            ) % {"count": self.seconds}
        minutes = math.ceil(self.seconds / 60)
        return ngettext(
            "try again in %(count)d minute.", "try again in %(count)d minutes.", minutes
        ) % {"count": minutes}


def name_person(pk: int) -> str:
    return f"person {pk}"


def list_limits(who: str) -> tuple[Measure, ...]:
    """List what bounds the bytes of a person, or of a visitor's address."""
    return (KEPT, IN_ALL) if who.startswith("person ") else (VISITORS,)


def charge(who: str, *, size: float = 0.0, computes: bool = False) -> None:
    """
    Count bytes that are about to be kept.

    Raises:
        OverBudget: there is not so much room, or the seconds are used up; nothing is counted.
    """
    costs = {one(): size for one in list_limits(who)} if size else {}
    if computes:
        costs[COMPUTED()] = 0.0
    waits = _count(who, costs, forced=False)
    for limit, seconds in waits.items():
        if seconds > 0:
            raise OverBudget(limit, seconds)


def spend(who: str, *, size: float = 0.0, seconds: float = 0.0) -> None:
    """Count what was used already: whatever it comes to, who used it waits afterwards."""
    costs = {one(): size for one in list_limits(who)} if size else {}
    if seconds:
        costs[COMPUTED()] = seconds
    _count(who, costs, forced=True)


def begin_work(who: str, *, size: float) -> None:
    """
    Count what is made of something that was sent before: it may be more than a minute's bytes.

    Then it is begun where a minute's are left, and who began it waits the longer for the next.

    Raises:
        OverBudget: there is not so much room; nothing is counted.
    """
    fits = min(size, find_largest(FILES))
    charge(who, size=fits)
    spend(who, size=size - fits)


def find_wait(who: str, *, size: float) -> float:
    """Return the seconds until so many bytes fit."""
    costs = {one(): min(size, one().at_once) for one in list_limits(who)}
    return max(_count(who, costs, forced=False, tried=True).values())


def forget_idle() -> int:
    """Forget what has come back wholly; return how many rows went."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [MONTH])
        return int(cursor.rowcount)


# All or nothing, in one statement: rows are locked in one order, and nothing is written where one
# of the limits would be exceeded. By the database's clock, since those of servers may differ.
_COUNT = f"""
    WITH asked AS (
        SELECT * FROM unnest(%s::text[], %s::float8[], %s::float8[], %s::float8[])
            AS asked(key, at_once, a_second, amount)
    ), held AS (
        SELECT spent.key, spent.level, spent.at FROM {TABLE} spent
        WHERE spent.key = ANY(%s::text[]) ORDER BY spent.key FOR UPDATE
    ), levels AS (
        SELECT key, amount, at_once, a_second, greatest(0, coalesce(
            level - a_second * extract(epoch FROM clock_timestamp() - at), 0
        )) AS level
        FROM asked LEFT JOIN held USING (key)
    ), waits AS (
        SELECT key, CASE
            WHEN level + amount <= at_once THEN 0
            WHEN a_second > 0 THEN (level + amount - at_once) / a_second
            ELSE 'Infinity'
        END AS wait
        FROM levels
    ), written AS (
        INSERT INTO {TABLE} (key, level, at)
        SELECT key, level + amount, clock_timestamp() FROM levels
        WHERE amount > 0 AND NOT %s AND (%s OR NOT EXISTS (SELECT FROM waits WHERE wait > 0))
        ON CONFLICT (key) DO UPDATE SET level = EXCLUDED.level, at = EXCLUDED.at
    )
    SELECT key, wait FROM waits
"""
_FORGET = f"DELETE FROM {TABLE} WHERE at < clock_timestamp() - make_interval(secs => %s)"


def _count(
    who: str, costs: Mapping[Limit, float], *, forced: bool, tried: bool = False
) -> dict[Limit, float]:
    """Count costs; return how long each has to wait. Where one has to, none is counted."""
    if not costs:
        return {}
    by_key = {f"{who} {limit.name}": limit for limit in costs}
    keys = sorted(by_key)
    limits = [by_key[key] for key in keys]
    with connection.cursor() as cursor:
        cursor.execute(
            _COUNT,
            [
                keys,
                [float(one.at_once) for one in limits],
                [float(one.a_second) for one in limits],
                [float(costs[one]) for one in limits],
                *(keys, tried, forced),
            ],
        )
        return {by_key[key]: float(wait) for key, wait in cursor.fetchall()}
