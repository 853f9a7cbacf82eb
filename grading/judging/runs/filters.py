"""What narrows the list of runs, and that of one run's items."""

import django_filters
from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeItem, JudgeRun, JudgeRunQuerySet
from grading.judging.prompts.models import list_kinds
from phybench.pages.listing import ListFilter, choice

DOUBTFUL = "DOUBTFUL"
OWN, KNOWN = "OWN", "KNOWN"
"""What a run is about, and its items of known verdict."""


class NumberFilter(django_filters.Filter):
    field_class = forms.IntegerField


class RunFilter(ListFilter):
    kind = choice(_("Judge"), list_kinds(), "configuration__kind")
    stands = choice(
        _("Status"),
        [
            ("running", _("running")),
            ("ended", _("ended")),
            ("paused", _("paused")),
            ("cancelled", _("cancelled")),
        ],
        method="find_standing",
    )
    submission = NumberFilter(method="find_submission", widget=forms.HiddenInput)

    def find_standing(self, found: JudgeRunQuerySet, name: str, stands: str) -> JudgeRunQuerySet:
        waits = Exists(JudgeItem.objects.waiting().filter(run=OuterRef("pk")))
        if stands == "running":
            return found.filter(waits, state=JudgeRun.State.RUNNING)
        if stands == "ended":
            return found.filter(~waits, state=JudgeRun.State.RUNNING)
        return found.filter(state=stands.upper())

    def find_submission(self, found: JudgeRunQuerySet, name: str, number: int) -> JudgeRunQuerySet:
        return found.filter(Q(submission=number) | Q(other=number))


class ItemFilter(ListFilter):
    show = choice("", method="find_shown")
    reason = django_filters.CharFilter()
    doubt = django_filters.CharFilter(method="find_doubt")

    def find_shown(self, found: QuerySet[JudgeItem], name: str, show: str) -> QuerySet[JudgeItem]:
        if show == DOUBTFUL:
            return found.filter(Exists(_of_last_round().exclude(doubts=[])))
        if show in (OWN, KNOWN):
            return found.filter(canary="") if show == OWN else found.exclude(canary="")
        return found.filter(state=show)

    def find_doubt(self, found: QuerySet[JudgeItem], name: str, doubt: str) -> QuerySet[JudgeItem]:
        return found.filter(Exists(_of_last_round().filter(doubts__contains=[doubt])))


def _of_last_round() -> QuerySet[Judgement]:
    return Judgement.objects.filter(item=OuterRef("pk"), round=OuterRef("round"))
