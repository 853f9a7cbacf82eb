"""What people fill in to find problems."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation import permissions
from curation.problems.models import Benchmark, Difficulty, Domain, Problem, ProblemQuerySet
from curation.workflow import Status
from phybench.models import User


class FilterForm(forms.Form):
    """Which problems to list; what is not understood is ignored."""

    q = forms.CharField(
        label=_("Search"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"type": "search"}),
    )
    domain = forms.ChoiceField(
        label=_("Domain"), required=False, choices=[("", _("any")), *Domain.choices]
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"), required=False, choices=[("", _("any")), *Difficulty.choices]
    )
    status = forms.ChoiceField(
        label=_("Status"), required=False, choices=[("", _("any")), *Status.choices]
    )
    benchmark = forms.ChoiceField(label=_("Benchmark"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        slugs = Benchmark.objects.values_list("slug", "name")
        self.fields["benchmark"].choices = [("", _("any")), *slugs]  # type: ignore[attr-defined]

    def is_active(self) -> bool:
        return any(self.cleaned_data.values())

    def narrow(self, problems: ProblemQuerySet, viewer: User) -> ProblemQuerySet:
        """Return those of `problems` that were asked for."""
        wanted = self.cleaned_data
        for name in ("domain", "difficulty", "status"):
            if value := wanted.get(name):
                problems = problems.filter(**{name: value})
        if slug := wanted.get("benchmark"):
            problems = problems.filter(benchmark__slug=slug)
        if text := wanted.get("q"):
            problems = problems.filter(_mentions(text, viewer))
        return problems


def _mentions(text: str, viewer: User) -> Q:
    # What somebody may not read they do not learn of by searching for its words either.
    readable = permissions.list_readable_revisions(viewer).filter(statement__icontains=text)
    called = Problem.objects.called(text)
    return (
        Q(title__icontains=text)
        | Q(pk__in=called.values("pk"))
        | Q(pk__in=readable.values("problem"))
    )
