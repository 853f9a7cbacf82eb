"""What admins do with scores that were reported elsewhere: look rows through, add, withdraw."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.benchmarks.models import Benchmark
from grading.board.reported.forms import FIELDS, ScoreForm
from grading.board.reported.models import Identity, ReportedScore
from grading.board.reported.permissions import keeps_reported
from phybench.files.json_list import storable
from phybench.files.problem_files import RawRow, Refused, Wanted, read
from phybench.people.models import User

MOST_ROWS = 500
WANTED = Wanted(
    frozenset(FIELDS),
    gettext_lazy("scores"),
    "solver, item_set, n, accuracy, eed, citation, url, reported_on",
)


class CannotAdd(Exception):
    """Why rows are not taken; the message says what to do."""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """One row of a file: to be added, there already, or with what is wrong with it."""

    number: int
    line: int
    score: ReportedScore | None
    faults: list[str]
    is_there: bool = False
    """Whether the same row stands already: it is left out."""

    @property
    def is_new(self) -> bool:
        return not self.faults and not self.is_there


@dataclass(frozen=True, slots=True)
class Preview:
    rows: list[LookedAt]
    unknown: Sequence[str]
    """Columns that nothing is taken from."""

    @property
    def new(self) -> list[ReportedScore]:
        return [one.score for one in self.rows if one.is_new and one.score]

    @property
    def faulty(self) -> int:
        return sum(bool(one.faults) for one in self.rows)

    @property
    def there(self) -> int:
        return sum(one.is_there for one in self.rows)


def look_at(*, benchmark: Benchmark, content: bytes) -> Preview:
    """
    Read rows, and say of each what would become of it; nothing is written.

    Raises:
        Refused: it is no such file.
    """
    found = read(content, WANTED)
    if len(found.rows) > MOST_ROWS:
        raise Refused(_("There are more than %(most)d rows.") % {"most": MOST_ROWS})
    standing = {one.identity: one for one in benchmark.reported_scores.standing()}
    seen: dict[Identity, int] = {}
    rows = []
    for raw in found.rows:
        looked_at = _look_at_row(raw, standing)
        if looked_at.score is not None:
            first = seen.setdefault(looked_at.score.identity, raw.number)
            if first != raw.number:
                fault = _("the same solver, problems, source and date as row %(number)d")
                looked_at = LookedAt(
                    raw.number, raw.line, looked_at.score, [fault % {"number": first}]
                )
        rows.append(looked_at)
    return Preview(rows, found.unknown)


def _look_at_row(raw: RawRow, standing: Mapping[Identity, ReportedScore]) -> LookedAt:
    if raw.fault or not isinstance(raw.values, Mapping):
        fault = raw.fault or _("this is not a row with named columns")
        return LookedAt(raw.number, raw.line, None, [fault])
    form = ScoreForm({name: _write(raw.values.get(name)) for name in FIELDS})
    if not form.is_valid():
        faults = [
            f"{name}: {message}" for name, messages in form.errors.items() for message in messages
        ]
        return LookedAt(raw.number, raw.line, None, faults)
    score: ReportedScore = form.save(commit=False)
    before = standing.get(score.identity)
    if before is None:
        return LookedAt(raw.number, raw.line, score, [])
    if all(getattr(before, name) == getattr(score, name) for name in FIELDS):
        return LookedAt(raw.number, raw.line, score, [], is_there=True)
    fault = _("exists already with other figures or text: withdraw that row first")
    return LookedAt(raw.number, raw.line, score, [fault])


def _write(value: object) -> str:
    return "" if value is None else storable(str(value))


@transaction.atomic
def add(*, benchmark: Benchmark, scores: Iterable[ReportedScore], by: User) -> int:
    """
    Add rows that were looked at; return how many.

    Raises:
        CannotAdd: one of them stands already.
    """
    _require_admin(by)
    # Two at once: the second waits here, and sees what the first has added.
    Benchmark.objects.select_for_update(no_key=True).get(pk=benchmark.pk)
    standing = {one.identity for one in benchmark.reported_scores.standing()}
    rows = list(scores)
    for one in rows:
        if one.identity in standing:
            raise CannotAdd(
                _("%(solver)s already exists with this source, date and set of problems.")
                % {"solver": one.solver}
            )
        one.benchmark, one.added_by = benchmark, by
    return len(ReportedScore.objects.bulk_create(rows))


@transaction.atomic
def withdraw(*, score: ReportedScore, why: str, by: User) -> None:
    """Take a row off, for good; two clicks are one."""
    _require_admin(by)
    score = ReportedScore.objects.select_for_update(of=["self"]).get(pk=score.pk)
    if score.withdrawn_at is None:
        score.withdrawn_at, score.withdrawn_by, score.why_withdrawn = timezone.now(), by, why
        score.save(update_fields=["withdrawn_at", "withdrawn_by", "why_withdrawn"])


def list_reported(benchmark: Benchmark) -> list[ReportedScore]:
    """List what stands of a benchmark for its board, in one query: best EED first, no ranks."""
    found = benchmark.reported_scores.standing()
    return sorted(
        found,
        key=lambda one: (
            one.eed is None,
            -(one.eed or 0.0),
            -(one.accuracy or 0.0),
            one.solver.lower(),
        ),
    )


def _require_admin(by: User) -> None:
    if not keeps_reported(by):
        raise PermissionDenied(_("Only admins choose which scores from elsewhere are shown."))
