"""
The licences under which the app's dependencies may be used: as they say of themselves, installed.

Run as a program, it lists them by licence and fails where one is not among those below.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
ALLOWED = {
    **dict.fromkeys(
        (
            *("MIT", "MIT-0", "MIT License"),
            *("BSD", "New BSD", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "0BSD"),
            *("Apache-2.0", "Apache Software License", "PSF-2.0", "Zlib", "CC0-1.0"),
        ),
        "asks no more than that its text is kept",
    ),
    **dict.fromkeys(
        (
            *("LGPL-3.0-only", "LGPL-3.0-or-later"),
            "GNU Library or Lesser General Public License (LGPL)",
        ),
        "used as it is, from a package of its own that anybody can exchange",
    ),
}
"""Each name of a licence that is taken, with the reason why."""
READ_BY_HAND = {"quickjs-ng": "MIT"}
"""What a package's metadata don't say, from the text of the licence that it brings."""


def list_packages(lock: str) -> list[str]:
    """
    List the packages that a lock names.

    >>> list_packages("# made by uv\\nsix==1.17.0 \\\\\\n    --hash=sha256:0\\n")
    ['six']
    """
    return sorted(set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)))


def read_licence(package: str, said: Mapping[str, list[str]]) -> str:
    """
    Tell a package's licence: by its expression, else its classifiers, else in its own words.

    >>> read_licence("six", {"Classifier": ["License :: OSI Approved :: MIT License"]})
    'MIT License'
    """
    classifiers = [one for one in said.get("Classifier", []) if one.startswith("License ::")]
    return (
        READ_BY_HAND.get(package)
        or next(iter(said.get("License-Expression", [])), "")
        or " AND ".join(one.rsplit(" :: ", 1)[-1] for one in classifiers)
        or next(iter(said.get("License", [])), "").split("\n")[0].strip()
    )


def is_allowed(licence: str) -> bool:
    """
    Tell whether one of the choices that a licence leaves has only parts that are taken.

    >>> is_allowed("GPL-3.0-only OR BSD-3-Clause AND Zlib"), is_allowed("MIT AND GPL-3.0-only")
    (True, False)
    """
    return any(
        all(part in ALLOWED for part in choice.split(" AND ")) for choice in licence.split(" OR ")
    )


def list_licences(packages: Iterable[str]) -> dict[str, list[str]]:
    """List the packages of each licence; what is for other systems is not installed here."""
    found: dict[str, list[str]] = defaultdict(list)
    for package in packages:
        try:
            said = metadata.metadata(package)
        except metadata.PackageNotFoundError:
            continue
        names = ("License-Expression", "License", "Classifier")
        licence = read_licence(package, {name: said.get_all(name) or [] for name in names})
        found[licence].append(package)
    return dict(found)


def main() -> int:
    """Print the licences, and return how many are not allowed."""
    found = list_licences(list_packages(LOCK.read_text()))
    for licence, packages in sorted(found.items()):
        mark = "" if is_allowed(licence) else "NOT ALLOWED: "
        print(f"{mark}{licence or '(none said)'}: {', '.join(packages)}")
    unknown = [licence for licence in found if not is_allowed(licence)]
    if unknown:
        print("Read what these ask for; add to development/licences.py what may be taken, and why.")
    return len(unknown)


if __name__ == "__main__":
    sys.exit(main())
