"""How to cite a version, and its board as it stood on a day."""

from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _

from curation.versions.models import BenchmarkVersion


@dataclass(frozen=True, slots=True)
class Citation:
    text: str
    bibtex: str


def write_bibtex(version: BenchmarkVersion) -> str:
    """Write how to cite a version, with its hash."""
    assert version.published_at is not None
    return _write_misc(
        f"{version.benchmark.slug}-v{version.number}",
        title=f"{_escape(str(version.benchmark))}, version {version.number}",
        year=str(version.published_at.year),
        howpublished=f"\\url{{{settings.SITE_URL}{version.get_absolute_url()}}}",
        note=f"SHA-256 {version.sha256}",
    )


def cite_board(version: BenchmarkVersion, on: date) -> Citation:
    """
    Say how to cite the board of a version as it stood on a day.

    Rows are added and withdrawn, so the day is part of it.
    """
    address = f"{settings.SITE_URL}{version.benchmark.get_absolute_url()}?version={version.number}"
    text = _("%(benchmark)s, version %(number)d (SHA-256 %(hash)s). Board of %(day)s. %(url)s") % {
        "benchmark": version.benchmark,
        "number": version.number,
        "hash": version.sha256[:12],
        "day": formats.date_format(on, "DATE_FORMAT"),
        "url": address,
    }
    bibtex = _write_misc(
        f"{version.benchmark.slug}-v{version.number}-board-{on.isoformat()}",
        title=f"Board of {_escape(str(version.benchmark))}, version {version.number}",
        year=str(on.year),
        howpublished=f"\\url{{{address}}}",
        urldate=on.isoformat(),
        note=f"As of {on.isoformat()}; SHA-256 of the version {version.sha256}",
    )
    return Citation(text, bibtex)


def _write_misc(key: str, **fields: str) -> str:
    lines = [f"  {name:<12} = {{{value}}}" for name, value in fields.items()]
    return f"@misc{{{key},\n" + ",\n".join(lines) + "\n}"


def _escape(title: str) -> str:
    r"""
    Escape what BibTeX takes for its own.

    >>> _escape("R&D {draft}")
    'R\\&D draft'
    """
    for sign in "\\{}":
        title = title.replace(sign, "")
    for sign in "&%$#_":
        title = title.replace(sign, f"\\{sign}")
    return title
