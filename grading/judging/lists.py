"""What narrows the lists of judges' runs and of rulings; what is not understood is ignored."""

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Domain
from grading.answers.models import Attempt
from grading.judging.prompts.models import list_kinds
from grading.judging.rulings.models import Ruling
from grading.judging.runs.models import JudgeItem, JudgeRun, JudgeRunQuerySet

ANY = ("", _("any"))


class ListFilter(forms.Form):
    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.full_clean()

    @property
    def is_active(self) -> bool:
        return any(self.cleaned_data.values())


class RunFilter(ListFilter):
    kind = forms.ChoiceField(label=_("Judge"), required=False, choices=[ANY, *list_kinds()])
    stands = forms.ChoiceField(
        label=_("Stands"),
        required=False,
        choices=[
            ANY,
            ("running", _("running")),
            ("ended", _("ended")),
            ("paused", _("paused")),
            ("cancelled", _("cancelled")),
        ],
    )
    submission = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def narrow(self, found: JudgeRunQuerySet) -> JudgeRunQuerySet:
        wanted = self.cleaned_data
        if kind := wanted.get("kind"):
            found = found.filter(configuration__kind=kind)
        if (number := wanted.get("submission")) is not None:
            found = found.filter(Q(submission=number) | Q(other=number))
        waits = Exists(JudgeItem.objects.waiting().filter(run=OuterRef("pk")))
        match wanted.get("stands"):
            case "running":
                found = found.filter(waits, state=JudgeRun.State.RUNNING)
            case "ended":
                found = found.filter(~waits, state=JudgeRun.State.RUNNING)
            case "paused" | "cancelled" as state:
                found = found.filter(state=state.upper())
        return found


class WaitingFilter(ListFilter):
    domain = forms.ChoiceField(label=_("Domain"), required=False, choices=[ANY, *Domain.choices])

    def narrow(self, found: QuerySet[Attempt]) -> QuerySet[Attempt]:
        if domain := self.cleaned_data.get("domain"):
            found = found.filter(revision__problem__domain=domain)
        return found


class GivenFilter(ListFilter):
    choice = forms.ChoiceField(
        label=_("Ruling"), required=False, choices=[ANY, *Ruling.Choice.choices]
    )
    origin = forms.ChoiceField(
        label=_("From"),
        required=False,
        choices=[ANY, ("page", _("a page")), ("file", _("a file"))],
    )

    def narrow(self, found: QuerySet[Ruling]) -> QuerySet[Ruling]:
        wanted = self.cleaned_data
        if choice := wanted.get("choice"):
            found = found.filter(choice=choice)
        if origin := wanted.get("origin"):
            found = found.filter(label_file__isnull=origin == "page")
        return found
