"""What is filled in to decide a round."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.problems.fields import SourceField
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import Step


class DecisionForm(forms.Form):
    """What somebody makes of a round; where it is open, that may decide it."""

    NOTE = "NOTE"

    known = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    heard = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    step = forms.ChoiceField(label=_("Your decision"), widget=forms.RadioSelect)
    reason = SourceField(
        label=_("Why"),
        max_length=2000,
        classes="",
        rows=4,
        help_text=_("The author reads the reason of a decision. Formulas as $…$."),
        required=True,
    )

    def __init__(
        self,
        *args: Any,
        review_round: ReviewRound,
        is_last: bool,
        may_skip: bool,
        left: int,
        smaller: tuple[int, int] | None,
        **options: Any,
    ) -> None:
        """
        Offer what may become of the round.

        Args:
            is_last: no stage comes after it.
            left: people who could be asked for one more review.
            smaller: with how many reviews and solves it could do, where nobody can finish it.
        """
        super().__init__(*args, **options)
        if review_round.closed_at is not None:
            self.fields["reason"].label = _("Note")
            self.fields["reason"].help_text = _("It is kept with the decision, for admins.")
            del self.fields["step"]
            return
        choices: list[tuple[str, Any]] = [
            (Step.PASS, _("Accept") if is_last else _("Pass this stage"))
        ]
        if may_skip and not is_last:
            choices.append((Step.ACCEPT, _("Accept now, skip the remaining stages")))
        choices.append((Step.RETURN, _("Return to the author")))
        if left and review_round.version.is_blind:
            choices.append((Step.ASK, _("Ask one more person, who solves it blind")))
        elif left:
            choices.append((Step.ASK, _("Ask one more person, who reads no other review")))
        if smaller == (0, 0):
            choices.append((Step.SHRINK, _("Leave out this stage")))
        elif smaller:
            text = ngettext(
                "Go on with %(count)d agreeing solve",
                "Go on with %(count)d agreeing solves",
                smaller[1],
            )
            choices.append((Step.SHRINK, text % {"count": smaller[1]}))
        choices.append((Step.REJECT, _("Reject")))
        choices.append((self.NOTE, _("Decide nothing yet; keep this note for admins")))
        self.fields["step"].choices = choices  # type: ignore[attr-defined]

    def clean_step(self) -> str:
        step: str = self.cleaned_data["step"]
        return "" if step == self.NOTE else step
