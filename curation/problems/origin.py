"""What a problem was adapted from, and how far it was changed."""

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

LONGEST_SOURCE = 300


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
