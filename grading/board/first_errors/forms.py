"""What is filled in to draw a sample of first errors."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from grading.board.first_errors.drawing import FIRST, LEAST, MOST, MOST_SOLVERS, PROBLEMS, Frame
from grading.board.table import BoardRow
from phybench.people.forms import UncutField


class DrawForm(forms.Form):
    submissions = forms.TypedMultipleChoiceField(
        label=_("Solvers"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one solver.")},
        help_text=_(
            "The most accurate solvers are preselected. Only problems that all chosen "
            "solvers answered wrong are drawn: the more solvers, the fewer such "
            "problems."
        ),
    )
    size = forms.IntegerField(
        label=_("Number of problems"),
        min_value=LEAST,
        max_value=MOST,
        initial=PROBLEMS,
        help_text=_("The same number from each field of physics, where there are enough."),
    )
    why = UncutField(
        label=_("Why"),
        max_length=300,
        required=False,
        help_text=_("This is public: all samples are listed."),
    )

    def __init__(
        self, candidates: list[BoardRow], frame: Frame | None, *args: Any, **options: Any
    ) -> None:
        """Offer `candidates`, each with how many problems of `frame` it has wrong answers to."""
        super().__init__(*args, **options)
        field = self.fields["submissions"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        numbers = [one.submission.pk for one in candidates]
        wrong = [frame.count_wrong(one) if frame else 0 for one in numbers]
        field.choices = [
            (
                number,
                ngettext(
                    "%(name)s, wrong on one problem",
                    "%(name)s, wrong on %(count)d problems",
                    count,
                )
                % {"name": one.name, "count": count},
            )
            for number, count, one in zip(numbers, wrong, candidates, strict=True)
        ]
        field.initial = numbers[:FIRST]

    def clean_submissions(self) -> list[int]:
        chosen: list[int] = self.cleaned_data["submissions"]
        if len(chosen) > MOST_SOLVERS:
            raise ValidationError(__("Choose at most %(most)d solvers.") % {"most": MOST_SOLVERS})
        return chosen
