"""
What the application gives out is, byte for byte, what the golden files hold.

They are compared after a change that is to change nothing (`docs/keep.md`):

    python3 dev.py test -m slow tests/golden

What a change does mean to change is written anew, and looked at in `git diff`:

    GOLDEN=write python3 dev.py test -m '' tests/golden

Slow, since the demo is made and graded as a whole: half a minute of a processor. Only the table of
addresses and the rules of the database are compared each time.
"""

import difflib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.golden import made
from tests.golden.fixed import fixed

FOLDER = Path(__file__).parent / "files"
IS_WRITTEN = os.environ.get("GOLDEN") == "write"
MOST_LINES = 30
"""Of a difference in one file."""


def read(path: Path) -> str:
    """Read a file with its ends of lines as they are: files of CSV have two kinds."""
    return path.read_bytes().decode()


def list_kept(place: str) -> set[str]:
    """List the golden files below a folder, or the one file of this name."""
    path = FOLDER / place
    files = [path] if path.is_file() else path.rglob("*")
    return {file.relative_to(FOLDER).as_posix() for file in files if file.is_file()}


def write(place: str, texts: dict[str, str]) -> None:
    for name in list_kept(place) - set(texts):
        (FOLDER / name).unlink()
    for name, text in texts.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(text.encode())


def describe(name: str, kept: str, text: str) -> str:
    """Say in which lines two texts differ, each shown with the signs that can't be seen."""
    shown = ([ascii(line)[1:-1] for line in one.split("\n")] for one in (kept, text))
    lines = [*difflib.unified_diff(*shown, f"golden {name}", f"now {name}", lineterm="", n=0)]
    more = [f"and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
    return "\n".join([*lines[:MOST_LINES], *more])


def compare(place: str, files: Iterable[tuple[str, str]]) -> None:
    """Compare what is made with the golden files of a folder, or write them."""
    texts = dict(files)
    if IS_WRITTEN:
        write(place, texts)
    kept = list_kept(place)
    found = [f"not made any more: {name}" for name in sorted(kept - set(texts))]
    found += [f"no golden file: {name}" for name in sorted(set(texts) - kept)]
    found += [
        describe(name, before, text)
        for name, text in texts.items()
        if name in kept and (before := read(FOLDER / name)) != text
    ]
    if found:
        pytest.fail("\n".join(found), pytrace=False)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("place", "make"),
    [
        ("demo", made.make_demo),
        ("world", made.make_files_of_world),
        ("judge", made.make_judge_file),
    ],
)
def test_what_is_given_out_is_what_it_was(place: str, make: Callable[[], made.Files]) -> None:
    with fixed():
        compare(place, make())


def test_who_may_have_which_address_is_who_could() -> None:
    compare("addresses.csv", made.make_addresses())


def test_every_address_that_takes_a_body_has_the_budget_that_was_chosen_for_it() -> None:
    compare("budgets.csv", made.make_budgets())


@pytest.mark.django_db
def test_the_database_holds_the_rules_that_it_held() -> None:
    compare("rules.csv", made.make_rules())


def test_a_difference_is_shown_line_by_line_and_in_its_last_byte() -> None:
    said = describe("a.csv", "x,1\r\ny,2\r\n", "x,1\r\ny,3\n")
    assert said.splitlines()[-2:] == [r"-y,2\r", "+y,3"]
