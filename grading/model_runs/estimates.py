"""What a run of a model may take: calls, tokens, money, and how long."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Avg, Count

from curation.problems.models import Revision
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.endpoints import Cost, Parameters, estimate_cost, estimate_tokens
from grading.model_runs.asking import list_asked, write_messages
from grading.model_runs.models import ModelRun
from grading.runs.models import Endpoint, ModelCall

LOOKED_AT = 50
"""Calls, the last ones, by which it is told how long one takes."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run takes at most, if no call has to be made again."""

    problems: int
    has_hidden: bool
    """Whether some of them are of the hidden part; which is told nowhere."""
    cost: Cost
    seconds: float
    """That it takes, about, as the endpoint did lately; else at most."""
    is_measured: bool
    """Whether this model was called there before."""


def estimate(
    version: BenchmarkVersion,
    endpoint: Endpoint,
    parameters: Parameters,
    *,
    words: str,
    samples: int,
    includes_hidden: bool,
) -> Estimate:
    """Say what a run would take, before it is begun."""
    items = list(list_asked(version, includes_hidden=includes_hidden))
    cost = _add(
        (_estimate_one(endpoint, parameters, words, item.revision), samples) for item in items
    )
    seconds, is_measured = _estimate_time(endpoint, parameters.model, cost)
    return Estimate(len(items), any(item.is_hidden for item in items), cost, seconds, is_measured)


def _estimate_one(
    endpoint: Endpoint, parameters: Parameters, words: str, revision: Revision
) -> Cost:
    tokens = estimate_tokens(write_messages(words, revision), parameters)
    return estimate_cost(*tokens, endpoint.prices)


def estimate_waiting(run: ModelRun) -> Cost:
    """Say what the calls take that are still to be made."""
    left = run.answers.waiting().order_by().values_list("item").annotate(Count("pk"))
    asked = VersionItem.objects.select_related("revision").in_bulk([item for item, _left in left])
    return _add(
        (_estimate_one(run.endpoint, run.parameters, run.prompt_words, asked[item].revision), times)
        for item, times in left
    )


def _add(costs: Iterable[tuple[Cost, int]]) -> Cost:
    """Add up what calls cost of which there are so many."""
    total = Cost()
    for one, times in costs:
        total += Cost(times * one.calls, times * one.tokens, times * one.money)
    return total


def _estimate_time(endpoint: Endpoint, model: str, cost: Cost) -> tuple[float, bool]:
    """Say how long so many calls take, by what the endpoint allows and how it answered lately."""
    last = ModelCall.objects.filter(endpoint=endpoint, model=model, status=200).order_by("-pk")
    mean = ModelCall.objects.filter(pk__in=last.values("pk")[:LOOKED_AT]).aggregate(
        seconds=Avg("seconds")
    )["seconds"]
    a_call = float(endpoint.seconds_a_call) if mean is None else mean
    seconds = cost.calls * a_call / endpoint.calls_at_once
    if endpoint.requests_a_minute:
        seconds = max(seconds, 60 * cost.calls / endpoint.requests_a_minute)
    if endpoint.tokens_a_minute:
        seconds = max(seconds, 60 * cost.tokens / endpoint.tokens_a_minute)
    return seconds, mean is not None
