"""What a problem was adapted from, and how far it was changed."""

from collections.abc import Mapping
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LONGEST_SOURCE = 300
ORIGIN = frozenset({"adaptation", "source"})
"""The fields that say it."""
OF_ONE_DRAFT = frozenset({"problem", "saved_at", "reason"})
"""Of a form: what is about one draft, not about its text."""


class Adaptation(TextChoices):
    """How far a problem is from its source."""

    ORIGINAL = "ORIGINAL", _("my own: not adapted")
    IDEA = "IDEA", _("the idea is from the source, the scenario is new")
    CHANGED = "CHANGED", _("same scenario, another question or other conditions")
    REWORDED = "REWORDED", _("same question, reworded or with other symbols")


def say_missing(adaptation: str, source: str) -> tuple[str, str] | None:
    """Return the field that is to be filled in, and why; None where the two fit together."""
    if source.strip() and adaptation in {"", Adaptation.ORIGINAL}:
        return "adaptation", gettext("You name a source: say how far you changed it.")
    if not source.strip() and adaptation not in {"", Adaptation.ORIGINAL}:
        return "source", gettext("Name the source that you adapted it from.")
    return None


def begin_again(fields: Mapping[str, Any], identifier: str) -> dict[str, Any]:
    """
    Return the fields of a problem as those of a new one, which names what it was begun from.

    >>> begun = {"title": "Top", "source": "", "adaptation": "ORIGINAL", "problem": 5}
    >>> begin_again(begun, "C5")
    {'title': 'Top', 'source': 'C5', 'adaptation': 'CHANGED'}
    >>> begin_again({**begun, "source": "Feynman I", "adaptation": "IDEA"}, "C5")["source"]
    'Feynman I; C5'
    """
    theirs = fields["source"].strip()
    source = f"{theirs}; {identifier}" if theirs else identifier
    return {
        **{name: value for name, value in fields.items() if name not in OF_ONE_DRAFT},
        "source": source if len(source) <= LONGEST_SOURCE else theirs,
        # What was adapted stays as far from its source as its author said.
        "adaptation": fields["adaptation"] if theirs else Adaptation.CHANGED.value,
    }
