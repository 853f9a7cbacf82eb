"""What narrows the list of keys in doubt."""

from django.utils.translation import gettext_lazy as _

from grading.disputes.keys.models import KeyCheck, KeyCheckQuerySet, KeyDecision
from phybench.pages.listing import ListFilter, choice

LOOKED_AT = "LOOKED_AT"
UNDECIDED = "NONE"


class KeyFilter(ListFilter):
    why = choice(_("Why"), KeyCheck.Doubt.choices, method="find_doubt")
    decision = choice(
        _("Decision"),
        [
            (UNDECIDED, _("none yet")),
            *KeyDecision.Choice.choices,
            (LOOKED_AT, _("already checked")),
        ],
        method="find_decision",
    )

    def find_doubt(self, found: KeyCheckQuerySet, name: str, doubt: str) -> KeyCheckQuerySet:
        return found.filter(doubts__contains=[doubt])

    def find_decision(self, found: KeyCheckQuerySet, name: str, said: str) -> KeyCheckQuerySet:
        if said == UNDECIDED:
            return found.filter(last_decision=None)
        # What was only looked at, before there were decisions, says none.
        return found.filter(last_decision__choice="" if said == LOOKED_AT else said)
