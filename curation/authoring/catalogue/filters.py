"""What narrows the list of problems."""

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Difficulty, PhysicsField, Problem
from curation.problems.permissions import list_readable_revisions
from curation.texts.workflow import Status
from phybench.pages.listing import ListFilter, choice
from phybench.people.models import User


class ProblemFilter(ListFilter):
    q = django_filters.CharFilter(
        method="find_text",
        label=format_lazy("{} {}", _("Search"), _("in titles and statements")),
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    domain = choice(_("Domain"), PhysicsField.choices)
    difficulty = choice(_("Difficulty"), Difficulty.choices)
    status = choice(_("Status"), Status.choices)

    def find_text(self, found: QuerySet[Problem], name: str, text: str) -> QuerySet[Problem]:
        assert self.request
        assert isinstance(self.request.user, User)
        # What somebody may not read they do not learn of by searching for its words either.
        readable = list_readable_revisions(self.request.user)
        return found.filter(
            Q(title__icontains=text)
            | Q(pk__in=Problem.objects.called(text).values("pk"))
            | Q(pk__in=readable.filter(statement__icontains=text).values("problem"))
        )
