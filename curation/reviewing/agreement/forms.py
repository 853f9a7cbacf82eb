"""What an admin fills in to find disagreements, and to adjudicate one."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.fields import SourceField
from curation.problems.models import Domain
from curation.reviewing.agreement.models import RoundDisagreement
from curation.reviewing.pipelines.models import Stage
from curation.reviewing.rounds.models import ReviewQuerySet
from curation.workflow import Step

ANY = ("", _("any"))


class EvidenceFilter(forms.Form):
    """Of which rounds; what is not understood is ignored."""

    domain = forms.ChoiceField(label=_("Domain"), required=False, choices=[ANY, *Domain.choices])
    stage = forms.ChoiceField(label=_("Stage"), required=False)
    state = forms.ChoiceField(
        label=_("Round"),
        required=False,
        choices=[ANY, ("open", _("open")), ("closed", _("closed"))],
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        stages = Stage.objects.select_related("pipeline").order_by("pipeline__name", "place")
        self.fields["stage"].choices = [  # type: ignore[attr-defined]
            ANY,
            *((str(stage.pk), f"{stage.name} ({stage.pipeline})") for stage in stages),
        ]
        self.full_clean()

    def is_active(self) -> bool:
        return any(self.cleaned_data.values())

    def list_conditions(self, path: str) -> dict[str, Any]:
        """Return the conditions on a round, for a query that reaches it by `path`."""
        wanted = self.cleaned_data
        found: dict[str, Any] = {}
        if domain := wanted.get("domain"):
            found[f"{path}revision__problem__domain"] = domain
        if stage := wanted.get("stage"):
            found[f"{path}version__stage"] = int(stage)
        if state := wanted.get("state"):
            found[f"{path}closed_at__isnull"] = state == "open"
        return found


class DisagreementFilter(EvidenceFilter):
    adjudicated = forms.ChoiceField(
        label=_("Adjudicated"),
        required=False,
        choices=[ANY, ("no", _("not yet")), ("yes", _("yes"))],
    )

    def narrow(self, found: QuerySet[RoundDisagreement]) -> QuerySet[RoundDisagreement]:
        found = found.filter(**self.list_conditions("round__"))
        if wanted := self.cleaned_data.get("adjudicated"):
            found = found.filter(round__adjudications__isnull=wanted == "no")
        return found


class AgreementFilter(EvidenceFilter):
    def narrow(self, reviews: ReviewQuerySet) -> ReviewQuerySet:
        return reviews.filter(**self.list_conditions("round__"))


class AdjudicationForm(forms.Form):
    """What an admin makes of a disagreement; where the round is open, it may decide it."""

    known = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    step = forms.ChoiceField(
        label=_("What becomes of the round"), required=False, widget=forms.RadioSelect
    )
    finding = SourceField(
        label=_("What you decide or found"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("For example: the statement allows two readings. Formulas as $…$."),
    )
    reason = SourceField(
        label=_("Why"),
        max_length=2000,
        classes="",
        rows=3,
        help_text=_("Kept for good. Where it decides the round, its author reads it too."),
    )

    def __init__(self, *args: Any, is_open: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["finding"].required = self.fields["reason"].required = True
        if not is_open:
            del self.fields["step"]
            return
        self.fields["step"].choices = [  # type: ignore[attr-defined]
            ("", _("Nothing: it stays open for its rule to decide")),
            (Step.PASS, _("This stage is passed")),
            (Step.ACCEPT, _("Accepted, whatever stages are to come")),
            (Step.RETURN, _("Back to its author")),
            (Step.REJECT, _("Rejected for good")),
        ]
