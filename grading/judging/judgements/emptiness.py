"""How versions of judges fared with answers that hold nothing, over all their runs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Q, QuerySet

from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.prompts.models import JudgeConfiguration
from phybench_grader.judges.empty_answers import (
    PREFIX,
    AcceptedOtherwise,
    EmptyTally,
    find_text,
    tally_empty,
)
from phybench_grader.judges.kinds import of_verdict


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a provider, whoever reads its replies and under whichever name."""

    provider: str
    """Host and port: another path leads to the same model."""
    name: str


@dataclass(frozen=True, slots=True)
class Voice:
    """
    A model asked in one prompt: what an acceptance is bound to.

    All else can be turned until chance lets every empty answer pass: mode, limits, temperature and
    other parameters, how often it is asked, with which others in a panel. Another prompt is another
    question. An uploaded one needs an admin's release.
    """

    kind: str
    prompt: str
    """The SHA-256 of its text."""
    model: Model


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An empty answer that was taken for right, and the voices that did."""

    canary: str
    voices: frozenset[Voice]
    prompt: str
    """Name and version of the prompt in which they were asked."""


def list_voices(described: Mapping[str, Any]) -> frozenset[Voice]:
    """List the voices of a configuration: each of its models in each of its prompts."""
    prompts = {sha256 for _name, _version, sha256 in _list_templates(described)}
    models = _list_models(described).values()
    return frozenset(
        Voice(described["kind"], prompt, model) for prompt in prompts for model in models
    )


def _list_templates(described: Mapping[str, Any]) -> list[list[str]]:
    by_item = described.get("by_item") or {}
    return [described["template"], *by_item.get("templates", [])]


def _list_titles(described: Mapping[str, Any]) -> dict[str, str]:
    """Name its prompts with their versions, by their SHA-256."""
    return {sha256: f"{name} {version}" for name, version, sha256 in _list_templates(described)}


def _list_models(described: Mapping[str, Any]) -> dict[str, Model]:
    """List its models by the names of its judges."""
    return {
        name: Model(urlsplit(base_url).netloc, model)
        for name, base_url, model in described["judges"]
    }


def list_of_empty_answers() -> QuerySet[Judgement]:
    """Return what was said of empty answers."""
    return Judgement.objects.filter(item__canary__startswith=PREFIX)


def list_accepted() -> QuerySet[Judgement]:
    """Return the acceptances: a voice of one of these stays off boards."""
    return list_of_empty_answers().filter(has_passed=False)


def list_unheard() -> QuerySet[JudgeCall]:
    """
    Return the replies that accept an empty answer in a round without a verdict.

    A run can be paused or cancelled between a reply and the next, or a next one can fail: what was
    said was said.
    """
    said = JudgeCall.objects.filter(item__canary__startswith=PREFIX, says_right=True)
    return said.without_verdict()


def list_barred(configurations: Collection[JudgeConfiguration]) -> set[int]:
    """List those of some configurations of which a voice has accepted an empty answer."""
    accepted = _read_acceptances(list_accepted().order_by("pk").values(*_FIELDS))
    accepted += _read_unheard()
    barred = {voice for one in accepted for voice in one.voices}
    return {one.pk for one in configurations if barred & list_voices(one.described)}


_FIELDS = (
    "item_id", "item__canary", "has_passed", "votes", "configuration_id",
    "configuration__described",
)  # fmt: skip


def _read_acceptances(rows: Iterable[Mapping[str, Any]]) -> list[Acceptance]:
    """Say of acceptances who is to answer for them, in one query; in none where there are none."""
    found = list(rows)
    prompts: dict[int, str] = {}
    if found:
        # A configuration may have several prompts; an item is asked about in one of them.
        calls = JudgeCall.objects.filter(item__in={row["item_id"] for row in found})
        prompts = dict(calls.order_by().values_list("item_id", "template_sha256"))
    return [_read_acceptance(row, prompts.get(row["item_id"])) for row in found]


def _read_unheard() -> list[Acceptance]:
    fields = (
        "item__canary", "judge", "template_sha256", "item__run__configuration__described",
    )  # fmt: skip
    found = []
    for canary, judge, prompt, described in list_unheard().order_by("pk").values_list(*fields):
        voice = Voice(described["kind"], prompt, _list_models(described)[judge])
        title = _list_titles(described).get(prompt, described["template"][0])
        found.append(Acceptance(canary, frozenset({voice}), title))
    return found


def _read_acceptance(row: Mapping[str, Any], asked: str | None) -> Acceptance:
    described = row["configuration__described"]
    models = _list_models(described)
    # Of a single judge that was asked once there are no votes.
    names = {one["judge"] for one in row["votes"] if _says_right(one)} or set(models)
    own = described["template"]
    titles = _list_titles(described)
    prompt = asked if asked in titles else own[2]
    voices = {Voice(described["kind"], prompt, models[name]) for name in names & set(models)}
    return Acceptance(row["item__canary"], frozenset(voices), titles[prompt])


def _says_right(vote: Mapping[str, Any]) -> bool:
    verdict = vote.get("verdict")
    return verdict is not None and of_verdict(verdict).says_right(verdict) is True


def collect_tallies(configurations: Collection[JudgeConfiguration]) -> dict[int, EmptyTally]:
    """
    Count for each configuration how it fared, in three queries; in none where none needs it.

    An acceptance counts for each configuration that has its voice, a rejection for its own alone.
    """
    tried = [one for one in configurations if one.needs_empty_answers]
    said: dict[int, list[tuple[str, bool | None]]] = defaultdict(list)
    acceptances = []
    if tried:
        rows = list_of_empty_answers().filter(Q(configuration__in=tried) | Q(has_passed=False))
        for row in rows.order_by("pk").values(*_FIELDS):
            if row["has_passed"] is False:
                acceptances.append(row)
            else:
                said[row["configuration_id"]].append((row["item__canary"], row["has_passed"]))
    accepted = _read_acceptances(acceptances) + (_read_unheard() if tried else [])
    return {one.pk: _tally(one, said[one.pk], accepted) for one in configurations}


def _tally(
    configuration: JudgeConfiguration,
    said: list[tuple[str, bool | None]],
    accepted: list[Acceptance],
) -> EmptyTally:
    voices = list_voices(configuration.described)
    own = [(one.canary, False) for one in accepted if voices & one.voices]
    models = {voice.model for voice in voices}
    others = [
        one
        for one in accepted
        if not voices & one.voices and models & {voice.model for voice in one.voices}
    ]
    tally = tally_empty([*said, *own], is_needed=configuration.needs_empty_answers)
    otherwise = dict.fromkeys(
        AcceptedOtherwise(one.prompt, find_text(one.canary)) for one in others
    )
    return replace(tally, otherwise=tuple(otherwise))


def find_decided(sha256: str) -> frozenset[str]:
    """Name the empty answers of which one configuration has said something already."""
    found = list_of_empty_answers().filter(configuration__sha256=sha256, has_passed__isnull=False)
    return frozenset(found.values_list("item__canary", flat=True))
