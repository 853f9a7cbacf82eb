"""What admins do with versions: make a draft, choose its hidden part, publish, withdraw items."""

import random
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.versions.hashes import describe_asked, hash_asked, hash_items, hash_key
from curation.versions.models import BenchmarkVersion, ItemWithdrawal, VersionItem
from curation.versions.permissions import list_secret, makes_versions
from phybench.people.models import User

MOST_PERCENT = 90
"""Of the free problems of a domain, as a draw may hide."""


class CannotChange(Exception):
    """What a version’s state rules out; the message says what to do."""


@transaction.atomic
def make_draft(*, benchmark: Benchmark, by: User | None) -> BenchmarkVersion:
    """
    Begin the next version with what is accepted now; of two clicks one makes it.

    A problem that was hidden in the version before stays hidden; every other is public.

    Args:
        by: the admin; None is a command.

    Raises:
        CannotChange: no problem of the benchmark is accepted.
    """
    _require_admin(by)
    # Two at once: the second waits here for the first.
    Benchmark.objects.select_for_update(no_key=True).get(pk=benchmark.pk)
    if begun := benchmark.versions.filter(published_at=None).first():
        return begun
    last = benchmark.versions.aggregate(last=Max("number"))["last"] or 0
    version = BenchmarkVersion.objects.create(benchmark=benchmark, number=last + 1, made_by=by)
    if not _fill(version):
        raise CannotChange(_("No problem of this benchmark is accepted yet."))
    return version


@transaction.atomic
def refresh(*, version: BenchmarkVersion, by: User) -> None:
    """Take what is accepted now into a draft; what was hidden in it stays so."""
    version = _hold_draft(version, by)
    hidden = set(version.items.hidden().values_list("problem", flat=True))
    version.items.all().delete()
    _fill(version, hidden)


def _fill(version: BenchmarkVersion, hidden: Collection[int] = ()) -> int:
    before = find_previous(version)
    hidden = {
        *hidden,
        *list_secret().filter(benchmark=version.benchmark).values_list("pk", flat=True),
    }
    accepted = version.benchmark.problems.accepted().select_related("accepted_revision")
    withdrawn = ItemWithdrawal.objects.filter(item__version=before).values("item__revision")
    # What was withdrawn comes back with a corrected text, or not at all.
    accepted = accepted.exclude(accepted_revision__in=withdrawn)
    items = [_make_item(version, problem, is_hidden=problem.pk in hidden) for problem in accepted]
    return len(VersionItem.objects.bulk_create(items))


def _make_item(version: BenchmarkVersion, problem: Problem, *, is_hidden: bool) -> VersionItem:
    revision = problem.accepted_revision
    assert revision is not None
    return VersionItem(
        version=version,
        problem=problem,
        revision=revision,
        identifier=problem.identifier,
        is_hidden=is_hidden,
        asked_sha256=hash_asked(describe_asked(revision)),
    )


def find_previous(version: BenchmarkVersion) -> BenchmarkVersion | None:
    """Return the published version before this one."""
    before = version.benchmark.versions.published().filter(number__lt=version.number)
    return before.order_by("-number").first()


def list_may_hide(version: BenchmarkVersion) -> list[VersionItem]:
    """
    List the items of a draft that may be hidden: those of problems never public before.

    Single verdicts were told of a public one, so its key is known; and so it is where somebody has
    answered a problem that was in no version yet.
    """
    was_public = VersionItem.objects.public().filter(
        version__benchmark=version.benchmark, version__published_at__isnull=False
    )
    told = Exposure.objects.filter(part=Exposure.Part.VERDICT, reason=Exposure.Reason.GRADE)
    free = version.items.exclude(problem__in=was_public.values("problem")).exclude(
        problem__in=told.values("revision__problem")
    )
    return list(free.select_related("problem"))


def count_left_out(version: BenchmarkVersion) -> int:
    """Count the accepted problems that a draft does not have."""
    return (
        version.benchmark.problems.accepted()
        .exclude(pk__in=version.items.values("problem"))
        .count()
    )


@transaction.atomic
def edit(
    *,
    version: BenchmarkVersion,
    changes: str,
    hidden: Iterable[str],
    by: User,
    left_out: Iterable[str] = (),
) -> None:
    """
    Say what changed, and which problems of a draft are hidden or left out, by their identifiers.

    Raises:
        CannotChange: one of those to hide is not in the draft, or was public in a version before.
    """
    version = _hold_draft(version, by)
    wanted = {name.upper(): name for name in hidden}
    found = {item.identifier.upper(): item for item in version.items.all()}
    if unknown := [name for key, name in wanted.items() if key not in found]:
        raise CannotChange(
            _("Not in this version: %(names)s.") % {"names": ", ".join(unknown[:10])}
        )
    free = {item.pk for item in list_may_hide(version)}
    if told := [name for key, name in wanted.items() if found[key].pk not in free]:
        raise CannotChange(
            _("Public in an earlier version, or answered, so no longer secret: %(names)s.")
            % {"names": ", ".join(told[:10])}
        )
    version.items.filter(identifier__in=left_out).delete()
    version.items.hidden().exclude(pk__in=[found[key].pk for key in wanted]).update(is_hidden=False)
    version.items.filter(pk__in=[found[key].pk for key in wanted]).update(is_hidden=True)
    version.changes = changes
    version.save(update_fields=["changes"])


@transaction.atomic
def tick(
    *,
    version: BenchmarkVersion,
    changes: str,
    shown: Set[str],
    was_hidden: Set[str],
    kept: Set[str],
    hidden: Set[str],
    by: User,
) -> None:
    """
    Edit a draft by what is ticked of the problems that a page showed; the others stay.

    Args:
        shown: identifiers of all that the page listed.
        was_hidden: those of them that it showed as hidden.
        kept: those that are in the version.
        hidden: those that are to be hidden.

    Raises:
        CannotChange: as `edit`, or somebody hid or showed one of them meanwhile.
    """
    version = _hold_draft(version, by)
    now = set(version.items.hidden().values_list("identifier", flat=True))
    if now & shown != was_hidden:
        raise CannotChange(
            _("What is hidden was changed meanwhile: open this page again, and tick once more.")
        )
    hidden = ((now - shown) | hidden) - (shown - kept)
    edit(version=version, changes=changes, hidden=hidden, left_out=shown - kept, by=by)


def draw_hidden(version: BenchmarkVersion, percent: int, *, seed: int) -> list[str]:
    """
    Draw identifiers to hide at random, so many per cent of the free problems of each domain.

    The same seed draws the same; nothing is changed.
    """
    by_domain: dict[str, list[str]] = defaultdict(list)
    for item in list_may_hide(version):
        by_domain[item.problem.domain].append(item.identifier)
    source = random.Random(seed)
    drawn: list[str] = []
    for _domain, names in sorted(by_domain.items()):
        drawn += source.sample(sorted(names), round(len(names) * percent / 100))
    return sorted(drawn)


def can_draw(version: BenchmarkVersion) -> bool:
    """Whether so many problems of a draft are free that a draw can be enough for a hidden part."""
    return len(draw_hidden(version, MOST_PERCENT, seed=0)) >= settings.LEAST_HIDDEN_ITEMS


def say_why_not(version: BenchmarkVersion, items: Collection[VersionItem]) -> str:
    """Say why a draft of these items can't be published; "" if nothing is in the way."""
    if all(item.is_hidden for item in items):
        return _("At least one problem has to be public.")
    if why := say_too_few(sum(item.is_hidden for item in items)):
        return why
    secret = {one.problem_id for one in list_may_hide(version)}
    secret |= set(list_secret().filter(benchmark=version.benchmark).values_list("pk", flat=True))
    if told := [one.identifier for one in items if one.is_hidden and one.problem_id not in secret]:
        return _(
            "Answered since they were hidden, so no longer secret: %(names)s. Untick them."
        ) % {"names": ", ".join(told[:10])}
    accepted = set(
        version.benchmark.problems.accepted().values_list("accepted_revision", flat=True)
    )
    if stale := [one.identifier for one in items if one.revision_id not in accepted]:
        return _(
            "Corrected or retired since this draft was made: %(names)s. Update the draft first."
        ) % {"names": ", ".join(stale[:10])}
    return ""


def say_too_few(hidden: int) -> str:
    """Say that so many problems are too few for a hidden part; "" if they are enough, or none."""
    if hidden == 0 or hidden >= settings.LEAST_HIDDEN_ITEMS:
        return ""
    return _(
        "A hidden part needs at least %(least)d problems, and this one has %(hidden)d: with fewer, "
        "the published figures would reveal single answers."
    ) % {"least": settings.LEAST_HIDDEN_ITEMS, "hidden": hidden}


@transaction.atomic
def publish(*, version: BenchmarkVersion, by: User | None, at: datetime | None = None) -> None:
    """
    Publish a draft for good: from then on answers are handed in to it.

    Args:
        at: when, where that is not now: in a demo.

    Raises:
        CannotChange: no item is public, or a text in it is not the accepted one any more.
    """
    version = _hold_draft(version, by)
    items = list(version.items.select_related("revision", "problem"))
    if why := say_why_not(version, items):
        raise CannotChange(why)
    version.salt = secrets.token_hex(32)
    for item in items:
        item.key_sha256 = hash_key(item.revision, version.salt)
    VersionItem.objects.bulk_update(items, ["key_sha256"], batch_size=500)
    version.sha256 = hash_items(items)
    version.published_at, version.published_by = at or timezone.now(), by
    version.save(update_fields=["salt", "sha256", "published_at", "published_by"])


@transaction.atomic
def discard(*, version: BenchmarkVersion, by: User) -> None:
    """Throw a draft away."""
    _hold_draft(version, by).delete()


@transaction.atomic
def withdraw_item(*, item: VersionItem, reason: str, by: User) -> ItemWithdrawal:
    """
    Say that an item of a published version counts no more; two clicks are one withdrawal.

    Raises:
        CannotChange: its version is not published yet.
    """
    _require_admin(by)
    if not item.version.is_published:
        raise CannotChange(_("This version is a draft: take the problem out of it instead."))
    try:
        with transaction.atomic():
            return ItemWithdrawal.objects.create(item=item, reason=reason, by=by)
    except IntegrityError:
        return ItemWithdrawal.objects.get(item=item)


@dataclass(frozen=True, slots=True)
class Difference:
    """How a version differs from the one before."""

    added: list[VersionItem]
    corrected: list[VersionItem]
    """Those whose text or key is another revision now."""
    shown: list[VersionItem]
    """Those that were hidden and are public now."""
    gone: list[VersionItem]
    """Items of the version before whose problems are not in this one."""

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.corrected or self.shown or self.gone)


def compare(version: BenchmarkVersion) -> Difference:
    """Compare a version with the published one before; without one all is added."""
    before = find_previous(version)
    old = {item.problem_id: item for item in _list_items(before)} if before else {}
    new = {item.problem_id: item for item in _list_items(version)}
    both = [(item, old[problem]) for problem, item in new.items() if problem in old]
    return Difference(
        added=[item for problem, item in new.items() if problem not in old],
        corrected=[item for item, was in both if item.revision_id != was.revision_id],
        shown=[item for item, was in both if was.is_hidden and not item.is_hidden],
        gone=[item for problem, item in old.items() if problem not in new],
    )


def _list_items(version: BenchmarkVersion) -> list[VersionItem]:
    return list(version.items.select_related("problem", "revision"))


def _require_admin(by: User | None) -> None:
    if by is not None and not makes_versions(by):
        raise PermissionDenied(_("Only admins make and publish versions."))


def _hold_draft(version: BenchmarkVersion, by: User | None) -> BenchmarkVersion:
    _require_admin(by)
    held = BenchmarkVersion.objects.select_for_update(of=["self"]).select_related("benchmark")
    found = held.get(pk=version.pk)
    if found.is_published:
        raise CannotChange(
            _("Version %(number)d is published and can’t be changed: make the next one.")
            % {"number": found.number}
        )
    return found
