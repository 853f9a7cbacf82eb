"""From rows to calibrations: what people ruled, what judges said of it, and what they still owe."""

from collections import defaultdict
from typing import Any

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Length

from grading.judging.calibration.standing import Calibration, RulingCase, calibrate
from grading.judging.engine.labelled import weigh
from grading.judging.judgements.emptiness import collect_tallies
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeItem
from grading.judging.prompts.models import JudgeConfiguration
from grading.samples.labels.rulings import Source, settled
from phybench_grader.judges.kinds import KINDS
from phybench_grader.statistics.panels import PanelWorth

NOTHING_SAID = (None, None, (), "")


def collect(
    only: JudgeConfiguration | None = None, source: Source = Source.ALL
) -> list[tuple[JudgeConfiguration, Calibration]]:
    """Compare each configuration with the rulings, in six queries at most; or one in five."""
    cases = _collect_cases(only, source)
    chosen = _list_configurations() if only is None else [only]
    tallies = collect_tallies(chosen)
    return [
        (
            one,
            calibrate(
                cases.get(one.pk, []),
                empty=tallies[one.pk],
                members=[judge["name"] for judge in one.described_judges],
            ),
        )
        for one in chosen
    ]


def weigh_panel(configuration: JudgeConfiguration) -> PanelWorth | None:
    """Say what a configuration's panel is worth by all that people ruled; None of one judge."""
    names = [judge["name"] for judge in configuration.described_judges]
    if len(names) < 2:
        return None
    cases = _collect_cases(configuration, Source.ALL).get(configuration.pk, [])
    return weigh([one.label() for one in cases], names)


def _list_configurations() -> list[JudgeConfiguration]:
    # A preference between two answers says of neither whether it is right.
    single = JudgeConfiguration.objects.exclude(
        kind__in=[kind.code for kind in KINDS.values() if kind.compares]
    )
    return list(single.filter(runs__isnull=False).distinct().order_by("-pk"))


def _collect_cases(only: JudgeConfiguration | None, source: Source) -> dict[int, list[RulingCase]]:
    """
    Make a case of each ruled answer that a configuration has judged, or has still to judge.

    What waits in a run is missing like what came without a verdict: while a run goes on its bounds
    are those of all that it is to judge.
    """
    ruled = settled(source)
    said = _find_said(ruled, only)
    cases: dict[int, list[RulingCase]] = defaultdict(list)
    for (configuration, attempt), facts in _find_planned(ruled, only, said).items():
        is_right, verdict, votes, stage = said.get((configuration, attempt), NOTHING_SAID)
        domain, difficulty, length, problem = facts
        case = RulingCase(
            is_right,
            ruled[attempt],
            domain,
            difficulty,
            length,
            problem=problem,
            verdict=verdict,
            votes=votes,
            stage=stage,
        )
        cases[configuration].append(case)
    return cases


Pair = tuple[int, int]
"""A configuration, and an answer."""


def _find_said(
    ruled: dict[int, bool], only: JudgeConfiguration | None
) -> dict[Pair, tuple[Any, ...]]:
    """Find the judgement that counts of each ruled answer, by configuration."""
    standing = (
        Judgement.objects.filter(
            attempt=OuterRef("attempt"), configuration=OuterRef("configuration")
        )
        .standing_first()
        .values("pk")[:1]
    )
    found = Judgement.objects.filter(attempt__in=ruled, pk=Subquery(standing))
    if only is not None:
        found = found.filter(configuration=only)
    rows = found.values_list(
        "configuration_id", "attempt_id", "is_right", "verdict", "votes", "stage"
    )
    return {(configuration, attempt): tuple(rest) for configuration, attempt, *rest in rows}


def _find_planned(
    ruled: dict[int, bool], only: JudgeConfiguration | None, said: dict[Pair, Any]
) -> dict[Pair, tuple[Any, ...]]:
    """Find what of the ruled answers each configuration was to judge, in the answers' order."""
    items = JudgeItem.objects.filter(attempt__in=ruled, other=None)
    if only is not None:
        items = items.filter(run__configuration=only)
    problem = "attempt__revision__problem"
    rows = (
        items.annotate(length=Length("attempt__response"))
        .order_by("attempt_id")
        .values_list(
            "run__configuration_id", "attempt_id", "state", f"{problem}__domain",
            f"{problem}__difficulty", "length", f"{problem}__published_id", f"{problem}_id",
        )
        .distinct()
    )  # fmt: skip
    planned: dict[Pair, tuple[Any, ...]] = {}
    for configuration, attempt, state, *facts, published_id, pk in rows:
        # What was cancelled before anything was said of it is not to be judged any more.
        if state != JudgeItem.State.CANCELLED or (configuration, attempt) in said:
            planned[configuration, attempt] = (*facts, published_id or f"C{pk}")
    return planned
