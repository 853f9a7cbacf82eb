"""How versions of judges fared with answers that hold nothing, over all their runs."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from grading.judges.empty_answers import PREFIX, EmptyTally, tally_empty
from grading.judging.judgements.models import Judgement
from grading.judging.prompts.models import JudgeConfiguration

_NO_OTHER_JUDGE = ("mode", "rule_negative", "repeats", "max_candidate", "versions")
"""Rules take no part where empty answers are tried, so neither does the mode."""
_NO_OTHER_PARAMETERS = ("max_tokens", "seed")
"""What may differ between two configurations that are the same judge, asked once more."""


def find_judge_key(described: Mapping[str, Any]) -> str:
    """
    Name what two configurations have in common that are the same judge.

    That is its kind, its prompt, its models and how freely they answer. Who was accepted on an
    empty answer would otherwise ask for one token more until chance lets all of them pass.
    """
    parameters = described.get("parameters") or {}
    kept = {name: one for name, one in described.items() if name not in _NO_OTHER_JUDGE}
    kept["judges"] = sorted(one[1:] for one in described["judges"])
    kept["parameters"] = {
        name: one for name, one in parameters.items() if name not in _NO_OTHER_PARAMETERS
    }
    return json.dumps(kept, sort_keys=True)


def list_of_empty_answers() -> QuerySet[Judgement]:
    """Return what was said of empty answers."""
    return Judgement.objects.filter(item__canary__startswith=PREFIX)


def list_accepted() -> QuerySet[Judgement]:
    """Return the acceptances: of one of these its judge stays off boards."""
    return list_of_empty_answers().filter(has_passed=False)


def list_barred(configurations: Collection[JudgeConfiguration]) -> set[int]:
    """List those of some configurations that are judges which have accepted an empty answer."""
    accepted = list_accepted().order_by().values_list("configuration__described", flat=True)
    keys = {find_judge_key(one) for one in accepted}
    return {one.pk for one in configurations if keys and find_judge_key(one.described) in keys}


def collect_tallies(configurations: Collection[JudgeConfiguration]) -> dict[int, EmptyTally]:
    """
    Count for each configuration how it fared, in one query; in none where none needs it.

    An acceptance counts for each configuration of the same judge, a rejection for its own alone.
    """
    said: dict[int, list[tuple[str, bool | None]]] = defaultdict(list)
    accepted: dict[str, list[tuple[str, bool | None]]] = defaultdict(list)
    tried = [one for one in configurations if one.needs_empty_answers]
    if tried:
        rows = list_of_empty_answers().filter(Q(configuration__in=tried) | Q(has_passed=False))
        for configuration, described, name, has_passed in rows.order_by("pk").values_list(
            "configuration_id", "configuration__described", "item__canary", "has_passed"
        ):
            if has_passed is False:
                accepted[find_judge_key(described)].append((name, has_passed))
            else:
                said[configuration].append((name, has_passed))
    return {
        one.pk: tally_empty(
            said[one.pk] + accepted[find_judge_key(one.described)],
            is_needed=one.needs_empty_answers,
        )
        for one in configurations
    }


def find_decided(sha256: str) -> frozenset[str]:
    """Name the empty answers of which one configuration has said something already."""
    found = list_of_empty_answers().filter(configuration__sha256=sha256, has_passed__isnull=False)
    return frozenset(found.values_list("item__canary", flat=True))
