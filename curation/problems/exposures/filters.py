"""What an admin narrows down to find who has seen what."""

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from phybench.pages.listing import ListFilter, choice


class ExposureFilter(ListFilter):
    q = django_filters.CharFilter(
        method="find_problem",
        label=_("Problem"),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    person = django_filters.CharFilter(method="find_person", label=_("Person"), max_length=200)
    part = choice(
        _("What"),
        [("KEY", _("answer or solution")), *Exposure.Part.choices],
        method="find_part",
    )
    reason = choice(_("Why"), Exposure.Reason.choices)
    since = django_filters.DateFilter(
        field_name="at__date",
        lookup_expr="gte",
        label=_("Since"),
        widget=forms.DateInput({"type": "date"}),
    )

    def find_problem(self, found: QuerySet[Exposure], name: str, text: str) -> QuerySet[Exposure]:
        return found.filter(mentions(text))

    def find_person(self, found: QuerySet[Exposure], name: str, text: str) -> QuerySet[Exposure]:
        return found.filter(Q(person__display_name__icontains=text) | Q(person__email__iexact=text))

    def find_part(self, found: QuerySet[Exposure], name: str, part: str) -> QuerySet[Exposure]:
        return found.filter(part__in=Exposure.KEY if part == "KEY" else [part])


def mentions(text: str) -> Q:
    """Find rows by their problem: its identifier, or words of its title."""
    called = Problem.objects.called(text)
    return Q(revision__problem__title__icontains=text) | Q(revision__problem__in=called)
