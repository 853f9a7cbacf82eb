"""What narrows the lists of open rounds."""

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from curation.problems.translations.models import Translation
from curation.reviewing.assignments.models import Assignment
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from phybench.pages.listing import ListFilter, choice
from phybench.people.models import Language


class RoundFilter(ListFilter):
    domain = choice(_("Domain"), PhysicsField.choices, "revision__problem__domain")
    stage = choice(_("Stage"), field_name="version__name")
    language = choice(_("Language"), Language.choices, method="find_language")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rounds = ReviewRound.objects.open().order_by("version__name")
        names = rounds.values_list("version__name", flat=True)
        self.offer("stage", ((name, name) for name in names.distinct()))

    def find_language(
        self, found: ReviewRoundQuerySet, name: str, language: str
    ) -> ReviewRoundQuerySet:
        checked = Translation.objects.checked().filter(
            revision=OuterRef("revision"), language=language
        )
        return found.filter(Q(revision__problem__language=language) | Q(Exists(checked)))


class AdminRoundFilter(RoundFilter):
    benchmark = choice(_("Benchmark"), field_name="revision__problem__benchmark__slug")
    lacks = choice(
        _("Reviewers"),
        [("some", _("places free")), ("time", _("overdue"))],
        method="find_lacking",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.offer("benchmark", Benchmark.objects.values_list("slug", "name"))

    def find_lacking(
        self, found: ReviewRoundQuerySet, name: str, lacks: str
    ) -> ReviewRoundQuerySet:
        if lacks == "some":
            return found.filter(pk__in=ReviewRound.objects.open().with_free_places())
        return found.filter(pk__in=Assignment.objects.overdue().values("round"))
