"""What an admin fills in to find who has seen what."""

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.exposures.models import Exposure
from curation.problems.models import Problem


def make_choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=[("", _("any")), *choices])


class ExposureFilterForm(forms.Form):
    """Who saw what; what is not understood is ignored."""

    q = forms.CharField(
        label=_("Problem"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    person = forms.CharField(label=_("Person"), required=False, max_length=200)
    part = make_choice(_("What"), [("KEY", _("answer or solution")), *Exposure.Part.choices])
    reason = make_choice(_("Why"), Exposure.Reason.choices)
    since = forms.DateField(
        label=_("Since"), required=False, widget=forms.DateInput({"type": "date"})
    )

    def is_active(self) -> bool:
        return any(self.cleaned_data.values())

    def narrow(self, found: QuerySet[Exposure]) -> QuerySet[Exposure]:
        wanted = self.cleaned_data
        if text := wanted.get("q"):
            found = found.filter(mentions(text))
        if name := wanted.get("person"):
            found = found.filter(
                Q(person__display_name__icontains=name) | Q(person__email__iexact=name)
            )
        if part := wanted.get("part"):
            found = found.filter(part__in=Exposure.KEY if part == "KEY" else [part])
        if reason := wanted.get("reason"):
            found = found.filter(reason=reason)
        if since := wanted.get("since"):
            found = found.filter(at__date__gte=since)
        return found


def mentions(text: str) -> Q:
    """Find rows by their problem: its identifier, or words of its title."""
    called = Problem.objects.called(text)
    return Q(revision__problem__title__icontains=text) | Q(revision__problem__in=called)
