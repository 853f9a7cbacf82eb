"""How versions of judges fared with answers that hold nothing, over all their runs."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import QuerySet

from grading.judges.empty_answers import PREFIX, EmptyTally, tally_empty
from grading.judging.judgements.models import Judgement
from grading.judging.prompts.models import JudgeConfiguration


def list_of_empty_answers() -> QuerySet[Judgement]:
    """Return what was said of empty answers."""
    return Judgement.objects.filter(item__canary__startswith=PREFIX)


def list_accepted() -> QuerySet[Judgement]:
    """Return the acceptances: of one of these its configuration stays off boards."""
    return list_of_empty_answers().filter(has_passed=False)


def collect_tallies(configurations: Collection[JudgeConfiguration]) -> dict[int, EmptyTally]:
    """Count for each configuration how it fared, in one query; in none where none needs it."""
    said: dict[int, list[tuple[str, bool | None]]] = defaultdict(list)
    tried = [one for one in configurations if one.needs_empty_answers]
    rows = list_of_empty_answers().filter(configuration__in=tried).order_by("pk")
    for configuration, name, has_passed in rows.values_list(
        "configuration_id", "item__canary", "has_passed"
    ):
        said[configuration].append((name, has_passed))
    return {
        one.pk: tally_empty(said[one.pk], is_needed=one.needs_empty_answers)
        for one in configurations
    }


def find_decided(sha256: str) -> frozenset[str]:
    """Name the empty answers of which one configuration has said something already."""
    found = list_of_empty_answers().filter(configuration__sha256=sha256, has_passed__isnull=False)
    return frozenset(found.values_list("item__canary", flat=True))
