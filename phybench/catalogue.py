"""
What is to be translated, found in the code and the templates, and the catalogues that do it.

By Babel, so that nobody needs gettext's programs. `manage.py update_messages` writes the
catalogues anew; `dev.py` compiles them.
"""

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import cast

from babel.messages import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

FOLDERS = ("phybench", "curation", "grading", "packages/phybench-grader/src", "templates")
KEYWORDS = {
    **dict.fromkeys(("_", "__", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
"""What marks a message, and which of its arguments are the context, the message and its plural."""
MARK = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\s*\(")
BACK_OFFICE = (
    # Commands are typed on the server, and speak the language of their options and logs.
    "/management/",
    # What the grade command says of a file of references, and of answers that it can't grade.
    *("grading/answers/references.py", "grading/answers/batch.py"),
    # What the judge command says of its configuration, its items and its output.
    *("grading/judging/engine/", "grading/judging/files/"),
    # The back office is for admins alone.
    "/admin.py",
)
"""Commands and what admins see: these may stay English."""


_NOISE = tuple(
    f'"{name}'
    for name in (
        *("Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date"),
        *("Last-Translator", "Language-Team", "Generated-By"),
    )
)


def find_catalogues() -> Iterator[Path]:
    """Find the catalogue of each language."""
    yield from sorted(Path(settings.BASE_DIR).glob("locale/*/LC_MESSAGES/django.po"))


def collect() -> Catalog:
    """Return every message that is marked for translation, with the files it stands in."""
    found = Catalog(charset="utf-8")
    for path in _list_files():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        source = path.read_text()
        if path.suffix in {".html", ".txt", ".svg"}:
            # What it makes of a template is indented as that was.
            lines = templatize(source, origin=name).splitlines()
            source = "\n".join(line.lstrip() for line in lines)
        for line, said in _list_operations(source):
            found.add(said, locations=[(name, line)])
        # To take one apart takes long, and most have none.
        if not MARK.search(source):
            continue
        code = BytesIO(source.encode())
        for line, function, arguments, _comments in extract_python(code, KEYWORDS, [], {}):
            # Babel's types have these two the other way round.
            context, message = split(str(function), cast(Forms | None, arguments))
            if message and message[0]:
                found.add(message, locations=[(name, line)], context=context)
    return found


def _list_operations(source: str) -> Iterator[tuple[int, str]]:
    """List what a module says first of each operation of the API: a page lists them."""
    if "@router." not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(
            ast.unparse(one).startswith("router.") for one in node.decorator_list
        ):
            yield node.lineno, say_first(ast.get_docstring(node) or "")


def say_first(docstring: str) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join(docstring.partition("\n\n")[0].split())


Forms = str | tuple[str, ...]


def split(function: str, arguments: Forms | None) -> tuple[str | None, Forms | None]:
    """Split what marks a message was given into the context, if it takes one, and the message."""
    if not isinstance(arguments, tuple):
        return None, arguments
    if "pgettext" not in function:
        return None, arguments[:2]
    context, *forms = arguments
    return context, tuple(forms[:2]) if function.startswith("n") else forms[0]


def _list_files() -> Iterator[Path]:
    for folder in FOLDERS:
        for suffix in ("py", "html", "txt", "svg"):
            yield from sorted((Path(settings.BASE_DIR) / folder).rglob(f"*.{suffix}"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def update(path: Path) -> Catalog:
    """Bring a catalogue up to what is marked: what is new is empty, what is gone is dropped."""
    catalogue = read(path)
    # A guess at what somebody might have meant would be shown to readers.
    catalogue.update(collect(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    written = BytesIO()
    write_po(written, catalogue, width=98, sort_by_file=True, include_lineno=False)
    lines = written.getvalue().decode().splitlines(keepends=True)
    # Of the header only what says how to read it: the rest would change every time.
    path.write_text("".join(line for line in lines if not line.startswith(_NOISE)))
    return catalogue


def is_needed(message: Message) -> bool:
    """Tell whether a message is on a page of those who write, review or answer problems."""
    return any(
        not any(part in f"/{file}" for part in BACK_OFFICE) for file, _line in message.locations
    )


def list_missing(catalogue: Catalog) -> list[Message]:
    """List the messages that have to be translated and are not."""
    return [
        message
        for message in catalogue
        if message.id and is_needed(message) and (message.fuzzy or not _is_whole(message))
    ]


def _is_whole(message: Message) -> bool:
    texts = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(texts)
