"""The forms of pages, as a browser would send them: what each offers, and to which address."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from tests.rendered import WITHOUT_END

LIKELY = {
    "email": "somebody@test.example",
    "url": "https://test.example/",
    "number": "1",
    "date": "2030-01-31",
    "datetime-local": "2030-01-31T10:00",
    "time": "10:00",
    "color": "#000000",
    "password": "a long enough secret",
}
"""What somebody may type into an empty field; elsewhere a word."""
CHOSEN = ("checkbox", "radio", "select")
PRESSED = ("submit", "button", "image", "reset")


@dataclass(slots=True)
class Field:
    name: str
    kind: str
    """The type of an input, `textarea` or `select`."""
    value: str = ""
    is_sent: bool = True
    """Whether it goes along as the page is: of choices only what is chosen does."""
    is_required: bool = False


@dataclass(slots=True)
class Form:
    """A form, or a part of a page that htmx sends."""

    action: str
    by_htmx: bool = False
    is_multipart: bool = False
    fields: list[Field] = field(default_factory=list)
    includes: str = ""
    """Ids of fields elsewhere that are sent along, as htmx is told."""
    inner: list["Form"] = field(default_factory=list)
    """What htmx sends of the same fields to other addresses."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted({one.name for one in self.fields}))

    @property
    def step(self) -> str:
        """Which of the steps at its address it asks for, where a button or a field says so."""
        return next((one.value for one in self.fields if one.name == "do"), "")

    def fill_in(self) -> list[tuple[str, str]]:
        """List what is sent where each field holds what the page offers, or else a likely value."""
        chosen = {one.name for one in self.fields if one.kind in CHOSEN and one.is_sent}
        sent = []
        for one in self.fields:
            if one.kind in CHOSEN:
                if one.is_sent:
                    sent.append((one.name, one.value))
                elif one.name not in chosen and (one.kind != "checkbox" or one.is_required):
                    chosen.add(one.name)
                    sent.append((one.name, one.value))
            elif one.kind not in ("file", *PRESSED):
                typed = "" if one.kind == "hidden" else LIKELY.get(one.kind, "A word.")
                sent.append((one.name, one.value or typed))
        return sent


class Reader(HTMLParser):
    """Gathers the forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[Form] = []
        self.open: list[tuple[str, Form | None]] = []
        self.by_id: dict[str, Form] = {}
        self.fields_by_id: dict[str, Field] = {}
        self.elsewhere: list[tuple[str, Field]] = []
        self.typing: Field | None = None
        self.choosing: Field | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        form: Form | None = None
        if tag == "form" and given.get("method", "").lower() == "post":
            form = Form(
                urljoin(self.address, given.get("action", "").strip()),
                is_multipart=given.get("enctype") == "multipart/form-data",
            )
            self.forms.append(form)
            self.by_id[given.get("id", "")] = form
        if "hx-post" in given:
            sent = Form(
                urljoin(self.address, given["hx-post"]),
                by_htmx=True,
                includes=given.get("hx-include", ""),
            )
            sent.is_multipart = given.get("hx-encoding") == "multipart/form-data"
            around = form or self.find_form()
            if around:
                around.inner.append(sent)
            elif tag not in WITHOUT_END:
                self.forms.append(sent)
                form = sent
        if tag not in WITHOUT_END:
            self.open.append((tag, form))
        self.take_field(tag, given)

    def take_field(self, tag: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text").lower() if tag == "input" else tag
        if tag == "button":
            kind = given.get("type", "submit").lower()
        if tag == "option" and self.choosing:
            is_chosen = "selected" in given
            value = given.get("value", "")
            if is_chosen or (not self.choosing.value and not self.choosing.is_sent):
                self.choosing.value = value
                self.choosing.is_sent = is_chosen
        if tag not in ("input", "textarea", "select", "button") or not given.get("name"):
            return
        value = given.get("value", "on" if kind in ("checkbox", "radio") else "")
        is_sent = "checked" in given if kind in ("checkbox", "radio") else kind != "select"
        if "disabled" in given:
            return
        one = Field(given["name"], kind, value, is_sent, "required" in given)
        if given.get("id"):
            self.fields_by_id[given["id"]] = one
        self.typing = one if kind == "textarea" else None
        self.choosing = one if kind == "select" else None
        if given.get("form"):
            self.elsewhere.append((given["form"], one))
        elif form := self.find_form():
            form.fields.append(one)

    def find_form(self) -> Form | None:
        return next((form for _tag, form in reversed(self.open) if form), None)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self.typing:
            # A browser leaves out the first break of a line.
            self.typing.value = self.typing.value.removeprefix("\n")
            self.typing = None
        elif tag == "select":
            self.choosing = None
        while self.open and tag not in WITHOUT_END and self.open.pop()[0] != tag:
            pass

    def handle_data(self, text: str) -> None:
        if self.typing:
            self.typing.value += text


def read_forms(page: str, address: str) -> Iterator[Form]:
    reader = Reader(address)
    reader.feed(page)
    for name, one in reader.elsewhere:
        if name in reader.by_id:
            reader.by_id[name].fields.append(one)
    for form in reader.forms:
        for part in form.includes.split(","):
            if part.strip().removeprefix("#") in reader.fields_by_id:
                form.fields.append(reader.fields_by_id[part.strip().removeprefix("#")])
        yield from press_each(form)
        for inner in form.inner:
            inner.fields = [one for one in form.fields if one.kind not in PRESSED]
            yield from press_each(inner)


def press_each(form: Form) -> Iterator[Form]:
    """Yield a form once for each button of it that says something."""
    buttons = [one for one in form.fields if one.kind in PRESSED and one.value]
    others = [one for one in form.fields if one.kind not in PRESSED]
    for button in buttons or [None]:
        pressed: Sequence[Any] = [Field(button.name, "hidden", button.value)] if button else []
        yield Form(form.action, form.by_htmx, form.is_multipart, [*others, *pressed])
