"""What narrows the list of submissions."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from grading.solvers.models import Organisation
from phybench.pages.listing import ListFilter, choice


class SubmissionFilter(ListFilter):
    organisation = choice(_("Team"), field_name="solver__organisation")
    benchmark = choice(_("Benchmark"), field_name="benchmark__slug")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        theirs = Organisation.objects.filter(solvers__submissions__in=self.queryset).distinct()
        benchmarks = [(one.slug, one.name) for one in Benchmark.objects.all()]
        self._offer_some("organisation", [(str(one.pk), one.name) for one in theirs])
        self._offer_some("benchmark", benchmarks)

    def _offer_some(self, name: str, choices: list[tuple[str, str]]) -> None:
        if len(choices) > 1:
            self.offer(name, choices)
        else:
            del self.filters[name]
