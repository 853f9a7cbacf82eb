"""
Whatever somebody sends in a field of a form, it is saved or refused with a sentence.

Each form that a page shows is sent as the page offers it, with one field at a time holding a text
that breaks things: no answer may be a failure of ours, and what is refused is said. What a program
sends as JSON is tried in `tests/grading/api/test_malformed.py`, what each index takes in
`tests/test_rules_broken_once.py`.
"""

import random
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_from_bytes, urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import got_request_exception
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import resolve

from tests.addresses import EXPECTED, PEOPLE, World, client_of, read
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
        page = read(answer).decode(errors="replace") if is_page(answer) else ""
        if status >= 500:
            self.failures.append(f"{title}: {status}")
        elif status >= 400 and 'method="post"' in page.lower() and not SAID.search(page):
            self.failures.append(f"{title}: refused without a word")
        elif re.search(r"\bNone\b", page.partition("<main")[2] or page):
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
            to = resolve(urlsplit(form.action).path).view_name
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


def try_all(person: str, world: World, names: Collection[str] = EXPECTED.keys()) -> Trial:
    trial = Trial(client_of(world.people[person]))
    trial.client.raise_request_exception = False
    forms = list(find_forms(person, world, set(names) - {"account_logout"}))
    for name, form in forms:
        try_form(trial, name, form)
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
    "contributor": ("curation:people", "curation:my_institution", "profile"),
    "reviewer": ("curation:reviewing_profile", "curation:decline"),
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
@pytest.mark.parametrize("person", PEOPLE)
def test_every_form_saves_any_text_or_says_why_not(world, faults, person):
    trial = try_all(person, world)
    assert (trial.failures, faults) == ([], [])
    assert trial.sent > 10
