"""What narrows the rounds that one looks for agreement, or for disagreement, in."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import ReviewRound, RoundDisagreement
from phybench.pages.listing import ListFilter, choice


class EvidenceFilter(ListFilter):
    """Of which rounds, for rows that have a `round`."""

    domain = choice(_("Domain"), PhysicsField.choices, "round__revision__problem__domain")
    stage = choice(_("Stage"), field_name="round__version__stage")
    state = choice(_("Review"), [("open", _("open")), ("closed", _("closed"))], method="find_state")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        stages = Stage.objects.select_related("pipeline").order_by("pipeline__name", "place")
        named = gettext("%(stage)s (%(plan)s)")
        self.offer(
            "stage",
            ((str(one.pk), named % {"stage": one.title, "plan": one.pipeline}) for one in stages),
        )

    def find_state(self, found: QuerySet, name: str, state: str) -> QuerySet:
        return found.filter(round__closed_at__isnull=state == "open")


class DisagreementFilter(EvidenceFilter):
    state = choice(
        _("Review"),
        [("split", _("needs a decision")), ("open", _("open")), ("closed", _("closed"))],
        method="find_state",
    )
    adjudicated = choice(
        _("Decision"), [("no", _("none yet")), ("yes", _("noted"))], method="find_adjudicated"
    )

    def find_state(self, found: QuerySet, name: str, state: str) -> QuerySet:
        if state == "split":
            return found.filter(round__in=ReviewRound.objects.split())
        return super().find_state(found, name, state)

    def find_adjudicated(
        self, found: QuerySet[RoundDisagreement], name: str, wanted: str
    ) -> QuerySet[RoundDisagreement]:
        return found.filter(round__adjudications__isnull=wanted == "no")
