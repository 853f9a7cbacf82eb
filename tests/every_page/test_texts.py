"""
Whatever somebody sends in a field of a form, it is saved or refused with a sentence.

Each form that a page shows is sent as the page offers it, with one field at a time holding a text
that breaks things: no answer may be a failure of ours, and what is refused is said. What a program
sends as JSON is tried in `tests/grading/api/test_malformed.py`, what each index takes in
`tests/test_rules_broken_once.py`.
"""

import inspect
import random
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import got_request_exception
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from phybench.work.budgets import LARGEST_FORM
from tests.addresses import (
    ADDRESSES,
    EXPECTED,
    LOGIN,
    ONE_TIME_KEYS,
    OURS,
    PEOPLE,
    World,
    address_of,
    client_of,
    name_of,
    read,
    takes_body,
)
from tests.every_page.forms import CHOSEN, Field, Form, read_forms
from tests.every_page.test_walk import list_addresses
from tests.rules import make_texts

LONG = 20_000
KINDS = ("letters", "Greek", "Chinese", "emoji", "LaTeX")
TYPED: dict[str, bytes] = {
    **{
        f"{LONG} of {kind}": text.encode()
        for kind, text in zip(KINDS, make_texts(LONG), strict=True)
    },
    "mixed": b"\xed\xa0\x80\xff"
    + "\u202eשלום \u0627\u202c\u2066 \u200b\ufeff\u2028\u0085\u00ada\u0301\u0489\u0489".encode()
    + bytes(range(1, 32)),
    "deep JSON": b"[" * LONG,
    "a megabyte": random.Random(1).randbytes(500_000).hex().encode(),
    "blanks": b"   \t\r\n  ",
}
"""What people type or paste into fields for texts; also what is no UTF-8."""
MADE_UP: dict[str, bytes] = {
    "letters": TYPED[f"{LONG} of letters"],
    "NUL": b"a\0b",
    "half a surrogate pair": rb'{"a": "\ud800", "b": ["\udfff"]}',
    "many digits": b"9" * 5_000,
    "larger than a key": b"9223372036854775808",
    "no digit": "²".encode(),
}
"""What no page offers: for choices, hidden fields and numbers too."""
FILES: dict[str, tuple[str, bytes]] = {
    "long name": ("x" * 300 + ".json", b'[{"id": "1"}]'),
    "odd name": ("\u202eé\U0001f600.json", b'[{"id": "1"}]'),
    "halves": ("a.json", rb'[{"id": "\ud800", "model": "\udfff", "\ud800": "\u0000"}]'),
    "deep": ("a.json", b"[" * LONG),
    "no text": ("a.json", b"\xff\xfe\x00"),
    "long": ("a.json", b'[{"id": "%s"}]' % TYPED[f"{LONG} of emoji"]),
}
PLAIN: tuple[str, bytes] = ("a.json", b'[{"id": "1"}]')
SAID = re.compile(r'role="alert"|class="(?:errorlist|error|notice|message)\b')
NO_VALUE = re.compile(r"\bNone\b(?! (?:of|has)\b|\.<)")
"""What Python writes where there is no value, and no sentence."""
FORM = "application/x-www-form-urlencoded"
FIRST = {
    "account_login": "visitor",
    "account_signup": "visitor",
    "account_logout": "",
}
"""Who tries a form that others are shown as well; elsewhere whoever is the first of `PEOPLE`."""


@dataclass
class Trial:
    """What one person sent, and what was not as it should be."""

    client: Client
    sent: int = 0
    statuses: set[int] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)

    def send(
        self,
        title: str,
        form: Form,
        sent: Iterable[tuple[str, bytes]],
        file: tuple[str, bytes] = PLAIN,
    ) -> None:
        """Send a form, and take back what came of it."""
        self.sent += 1
        cookies = self.client.cookies.copy()
        try:
            with transaction.atomic():
                answer = post(self.client, form, sent, file)
                if answer.status_code < 500:
                    with connection.cursor() as cursor:
                        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                self.look_at(title, answer)
                transaction.set_rollback(True)
        except DatabaseError as error:
            self.failures.append(f"{title}: {error}")
        self.client.cookies = cookies
        # How often something may be tried is counted there.
        cache.clear()

    def look_at(self, title: str, answer: HttpResponseBase) -> None:
        status = answer.status_code
        self.statuses.add(status)
        # A file is read as well: else it stays open.
        content = read(answer)
        page = content.decode(errors="replace") if is_page(answer) else ""
        if status >= 500:
            self.failures.append(f"{title}: {status}")
        elif status >= 400 and 'method="post"' in page.lower() and not SAID.search(page):
            self.failures.append(f"{title}: refused without a word")
        elif NO_VALUE.search(page.partition("<main")[2] or page):
            self.failures.append(f"{title}: says None")


def is_page(answer: HttpResponseBase) -> bool:
    return answer.get("Content-Type", "").startswith("text/html")


def post(
    client: Client, form: Form, sent: Iterable[tuple[str, bytes]], file: tuple[str, bytes]
) -> HttpResponseBase:
    files = [one.name for one in form.fields if one.kind == "file"]
    if form.is_multipart or files:
        data: dict[str, list[Any]] = defaultdict(list)
        for name, value in sent:
            data[name].append(value)
        for name in files:
            data[name].append(SimpleUploadedFile(*file))
        body, kind = encode_multipart(BOUNDARY, data), MULTIPART_CONTENT
    else:
        pairs = (f"{quote_from_bytes(one.encode())}={quote_from_bytes(text)}" for one, text in sent)
        body, kind = "&".join(pairs).encode(), FORM
    headers = {"HX-Request": "true"} if form.by_htmx else {}
    return client.generic("POST", form.action, body, content_type=kind, headers=headers)


def find_forms(person: str, world: World, names: Collection[str]) -> Iterator[tuple[str, Form]]:
    """List the forms that somebody is shown, each once, with the name of its address."""
    client = client_of(world.people[person])
    found = set()
    for name, address in list_addresses(world):
        if name not in names or EXPECTED[name].of(person) not in (200, 400):
            continue
        answer = client.get(address)
        if not is_page(answer):
            continue
        for form in read_forms(read(answer).decode(), address):
            to = name_of(form.action, form.step)
            key = (to, form.names, form.by_htmx)
            if key not in found and is_first(person, to):
                found.add(key)
                yield to, form


def is_first(person: str, name: str) -> bool:
    """Whether nobody before this person in `PEOPLE` has the form, who is anybody signed in."""
    if name in FIRST:
        return FIRST[name] == person
    is_for_all = all(EXPECTED[name].of(one) in (200, 302, 405) for one in PEOPLE[1:])
    return person == "contributor" if is_for_all else True


def try_form(trial: Trial, name: str, form: Form) -> None:
    """Send a form once as it is, and once for each field and text."""
    offered = [(one, value.encode()) for one, value in form.fill_in()]
    trial.send(f"{name} as it is", form, offered)
    fields = {one.name: one for one in form.fields if one.name != "csrfmiddlewaretoken"}
    for one in fields.values():
        if one.kind == "file":
            for title, file in FILES.items():
                trial.send(f"{name}, {one.name}: {title}", form, offered, file)
            continue
        others = [pair for pair in offered if pair[0] != one.name]
        for title, text in list_texts(one).items():
            trial.send(f"{name}, {one.name}: {title}", form, [*others, (one.name, text)])


def list_texts(one: Field) -> dict[str, bytes]:
    return MADE_UP if one.kind in (*CHOSEN, "hidden", "number", "date") else TYPED | MADE_UP


_UNSHOWN = """
    account_confirm_login_code account_inactive
    account_reset_password_done account_reset_password_from_key_done account_set_password
    curation:answer_remark curation:assignments?show=choose curation:import?do=carry_out
    curation:translation?do=check curation:version?do=draw curation:leave?do=keep
    curation:versions?do=new curation:problem?part=people
    curation:member?do=confirm curation:member?do=reactivate curation:review_settings?show=stage
    grading:read_as?of=review curation:leave?do=reopen
    curation:review?do=solve curation:import?do=fill_in curation:new?part=second curation:overview
    curation:queue?do=reject curation:review curation:review?do=decline curation:review?do=show
    curation:review?do=take curation:review_settings?do=delete
    curation:review_settings?show=conflicts curation:set_up curation:stage?do=delete curation:talk
    curation:talk?do=reply curation:talk?do=settle
    profile?do=take_back curation:translations
    grading:adjudicate_audit grading:adjudicate_first_error grading:answer grading:ask_again
    grading:hidden?do=ask grading:ask_model_again grading:ask_to_join grading:submission?do=cancel
    grading:cancel_judge_run grading:confirm_organisation grading:correct_key
    grading:count_late grading:debrief grading:delete_study grading:draft
    grading:submission?do=go_on
    grading:grade_repairs_again grading:invite grading:join grading:judge_again
    grading:judge_file grading:leave_out grading:letters grading:merge_organisation
    grading:name_baseline grading:new_contest grading:new_first_error_sample
    grading:new_judge_run grading:open_study grading:pause_judge_run grading:read_as
    grading:read_as?of=repair grading:release_prompt grading:repair grading:resume_endpoint
    grading:resume_judge_run grading:resume_model_run grading:say_aids
    grading:send_letters_again grading:settle_membership grading:start
    grading:take_back_first_error grading:take_back_label grading:take_labels
    grading:take_over grading:submission?do=try_again grading:hidden?do=again item measure_again
    prefer_language publish_judge inbox?do=read sign_in_as
"""
UNSHOWN = frozenset(_UNSHOWN.split())
"""
Addresses to which no page of the world has a form, as there is nothing to be done just then.

They are sent all fields that they may read, each with the same text.
"""
NOT_WALKED: dict[str, str] = {
    **dict.fromkeys(ONE_TIME_KEYS, "reached with a key from an e-mail: allauth checks it"),
    **{
        name: "what programs send is JSON: `tests/grading/api/test_malformed.py`"
        for name in ADDRESSES
        if name.startswith("api") and takes_body(ADDRESSES[name])
    },
    "grading:sync_session": "a page of ours sends JSON: `tests/grading/sessions`",
    "account_logout": "it has no field, and who has left walks no further",
}
"""Addresses that take what is sent and are not walked, each with why."""
NAMES = re.compile(
    r"""POST\.get(?:list)?\("(\w+)"|^ +(\w+) = (?:forms\.)?\w*Field\(""", re.MULTILINE
)


def list_field_names(name: str) -> list[str]:
    """List the fields that a view reads, or may: all of its module and of the forms beside it."""
    module = Path(inspect.getfile(inspect.unwrap(ADDRESSES[name].callback)))
    places = [module, *module.parent.glob("*forms.py")]
    found = NAMES.findall("\n".join(one.read_text() for one in places))
    return sorted({one or other for one, other in found})


def list_unshown(person: str, world: World, names: Collection[str]) -> Iterator[tuple[str, Form]]:
    for name in sorted(UNSHOWN & set(names)):
        if EXPECTED[name].of(person) not in (LOGIN, 403):
            fields = [Field(one, "text") for one in list_field_names(name)]
            yield name, Form(address_of(name, world), fields=fields)


def try_unshown(trial: Trial, name: str, form: Form) -> None:
    # All together are taken: of three signs for a byte, as a form writes it.
    most = LARGEST_FORM // 4 // max(1, len(form.fields))
    for title, text in (TYPED | MADE_UP).items():
        trial.send(f"{name}: {title}", form, [(one.name, text[:most]) for one in form.fields])


def try_all(person: str, world: World, names: Collection[str] = EXPECTED.keys()) -> Trial:
    trial = Trial(client_of(world.people[person]))
    trial.client.raise_request_exception = False
    forms = list(find_forms(person, world, set(names) - {"account_logout"}))
    for name, form in forms:
        try_form(trial, name, form)
    for name, form in list_unshown(person, world, names):
        try_unshown(trial, name, form)
    return trial


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """List where views failed, which says more than a 500."""
    noted: list[str] = []

    def note(request: Any, **_more: Any) -> None:
        noted.append(repr(sys.exception()))

    got_request_exception.connect(note)
    yield noted
    got_request_exception.disconnect(note)


SOME = {
    "contributor": ("curation:problem?part=people", "profile?tab=institution", "profile"),
    "reviewer": ("profile?tab=reviewing", "curation:review"),
    "evaluator": ("grading:new_organisation", "new_token"),
}
"""Pages whose forms are tried each time; the rest takes an hour of a processor."""


@pytest.mark.django_db
@pytest.mark.parametrize("person", SOME)
def test_some_forms_save_any_text_or_say_why_not(world, faults, person):
    trial = try_all(person, world, SOME[person])
    assert (trial.failures, faults) == ([], [])
    assert trial.sent > 10


@pytest.mark.slow
@pytest.mark.django_db
def test_the_walk_comes_to_every_address_that_takes_something_but_those_that_are_named(world):
    taking = {name for name in OURS if takes_body(ADDRESSES[name])}
    walked = {name for one in PEOPLE for name, _form in find_forms(one, world, EXPECTED.keys())}
    assert sorted(taking - walked - UNSHOWN - NOT_WALKED.keys()) == []
    assert sorted((UNSHOWN | NOT_WALKED.keys()) & walked) == []
    assert sorted((UNSHOWN | NOT_WALKED.keys()) - taking) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("person", PEOPLE)
def test_every_form_saves_any_text_or_says_why_not(world, faults, person):
    trial = try_all(person, world)
    assert (trial.failures, faults) == ([], [])
    assert trial.sent > 10
