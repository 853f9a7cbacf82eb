"""How sound each part of a problem is: what errata and people say of it."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import F, Q

from curation.reports.models import Erratum
from curation.reports.permissions import list_reports
from grading.board.items.models import ItemAssessment, Part, Soundness
from grading.disputes.keys.models import KeyCheck
from grading.disputes.keys.permissions import decides_keys
from phybench.people.models import User


@dataclass(frozen=True, slots=True)
class Word:
    """What was said of one part, and when."""

    at: datetime
    soundness: Soundness
    reason: str
    is_erratum: bool


@dataclass(frozen=True, slots=True)
class PartState:
    part: Part
    history: list[Word]
    """The newest first."""

    @property
    def soundness(self) -> Soundness:
        """Return what the newest word says; where none was said nothing speaks against it."""
        return self.history[0].soundness if self.history else Soundness.SOUND

    @property
    def is_uncertain(self) -> bool:
        return self.soundness is Soundness.UNCERTAIN


@dataclass(frozen=True, slots=True)
class Doubts:
    """What speaks against a problem and is not for everybody."""

    reports: int = 0
    """Open error reports that the reader may read."""
    key_check: KeyCheck | None = None
    """What solvers' answers say against its key; for who decides on keys."""

    def __bool__(self) -> bool:
        return bool(self.reports or self.key_check)


@dataclass(slots=True)
class _Said:
    words: dict[Part, list[Word]] = field(default_factory=lambda: defaultdict(list))


def find_states(revisions: Collection[int]) -> dict[int, list[PartState]]:
    """Return how sound the parts of these revisions are, in three queries for any number."""
    said: dict[int, _Said] = defaultdict(_Said)
    for revision, erratum in _list_errata(revisions):
        is_of_this = erratum.revision_id == revision
        word = Word(
            erratum.at,
            Soundness.UNCERTAIN if is_of_this else Soundness.REPAIRED,
            erratum.text,
            is_erratum=True,
        )
        said[revision].words[_find_part(erratum)].append(word)
    for one in ItemAssessment.objects.filter(revision__in=revisions):
        word = Word(one.at, Soundness(one.soundness), one.reason, is_erratum=False)
        said[one.revision_id].words[Part(one.part)].append(word)
    return {
        revision: [
            PartState(part, sorted(said[revision].words[part], key=_when, reverse=True))
            for part in Part
        ]
        for revision in revisions
    }


def _when(word: Word) -> datetime:
    return word.at


def _list_errata(revisions: Collection[int]) -> list[tuple[int, Erratum]]:
    """Return errata to these revisions, and to those before them that these have mended."""
    found = (
        Erratum.objects.filter(
            Q(revision__problem__revisions__in=revisions)
            & (
                Q(revision=F("revision__problem__revisions"))
                | Q(corrected_by__number__lte=F("revision__problem__revisions__number"))
            )
        )
        .annotate(of=F("revision__problem__revisions"))
        .select_related("report")
    )
    return [(one.of, one) for one in found if one.of in revisions]


def _find_part(erratum: Erratum) -> Part:
    if erratum.is_of_key:
        return Part.ANSWER
    kind = erratum.report.kind
    return Part(kind) if kind in Part else Part.STATEMENT


def find_doubts(reader: User | None, revisions: Collection[int]) -> dict[int, Doubts]:
    """Return what the reader may know against these revisions; nothing for a visitor."""
    if reader is None:
        return {}
    reports: dict[int, int] = defaultdict(int)
    open_ones = list_reports(reader).open().filter(revision__in=revisions)
    for revision in open_ones.order_by().distinct().values_list("pk", "revision"):
        reports[revision[1]] += 1
    checks: dict[int, KeyCheck] = {}
    if decides_keys(reader):
        doubted = KeyCheck.objects.doubted().filter(revision__in=revisions)
        checks = {one.revision_id: one for one in doubted.select_related("last_decision")}
    return {one: Doubts(reports.get(one, 0), checks.get(one)) for one in {*reports, *checks}}
