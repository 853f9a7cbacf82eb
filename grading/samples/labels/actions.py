"""
Labels from a file: what each row would do, and doing it.

A row says of one answer what somebody elsewhere made of it. Who brings it needs the same as for a
ruling on a page: to see the reference, and not to have handed the answer in.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from django.db import transaction
from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.answers.models import Attempt
from grading.samples.labels.files import Label, parse
from grading.samples.labels.models import LabelFile, Ruling
from grading.samples.labels.permissions import list_rulable
from phybench.people.models import User


class Outcome(TextChoices):
    NEW = "NEW", gettext_lazy("new")
    # It was new when the file was taken.
    TAKEN = "TAKEN", gettext_lazy("label accepted")
    SAME = "SAME", gettext_lazy("exists already")
    REFUSED = "REFUSED", gettext_lazy("left out")


@dataclass(frozen=True, slots=True)
class Planned:
    """What a row does, or would do."""

    label: Label
    outcome: Outcome
    attempt: int | None = None
    message: str = ""

    @property
    def said(self) -> str:
        """What the label says, in words."""
        return str(Ruling.Choice(self.label.choice).label) if self.label.choice else ""


def bring(*, by: User, file_name: str, content: bytes, origin: str) -> LabelFile:
    """
    Keep a file to be looked at; nothing of it counts yet.

    The same file again, while nobody has taken it, is the one that is there.

    Raises:
        curation.exchange.reading.Refused: it is no file of labels.
    """
    labels = parse(content)
    found, _made = LabelFile.objects.get_or_create(
        brought_by=by,
        sha256=hashlib.sha256(content).hexdigest(),
        origin=origin,
        taken_at=None,
        defaults={
            "file_name": "".join(one for one in file_name if one.isprintable())[:200],
            "rows": [asdict(label) for label in labels],
        },
    )
    return found


def plan(file: LabelFile) -> list[Planned]:
    """Say of each row what it would do now, or did when the file was taken."""
    labels = [Label(**row) for row in file.rows]
    finder = _Finder(file.brought_by, labels)
    planned = [_plan_row(label, finder) for label in labels]
    there = {
        (attempt, labeller): choice
        for attempt, labeller, choice in Ruling.objects.filter(
            label_file__isnull=False, attempt__in=[one.attempt for one in planned if one.attempt]
        ).values_list("attempt_id", "labeller", "choice")
    }
    taken: set[tuple[int, str]] = set()
    if file.taken_at is not None:
        taken = set(file.labels.values_list("attempt_id", "labeller"))
    return [
        replace(one, outcome=Outcome.TAKEN)
        if one.outcome is Outcome.SAME
        and one.attempt
        and (one.attempt, one.label.labeller) in taken
        else one
        for one in _compare(planned, there)
    ]


def _plan_row(label: Label, finder: "_Finder") -> Planned:
    if label.fault:
        return Planned(label, Outcome.REFUSED, message=label.fault)
    found = finder.find(label)
    if len(found) == 1:
        return Planned(label, Outcome.NEW, found[0])
    if found:
        message = _(
            "%(count)d answers match: say which one by “sample”, “submission” or “attempt”"
        ) % {"count": len(found)}
    else:
        message = _("no answer that you may rule on matches")
    return Planned(label, Outcome.REFUSED, message=message)


def _compare(planned: Iterable[Planned], there: dict[tuple[int, str], str]) -> Iterable[Planned]:
    """Find what is there already, or stands in the file in other words."""
    for one in planned:
        if one.attempt is None:
            yield one
            continue
        label, key = one.label, (one.attempt, one.label.labeller)
        known = there.setdefault(key, "")
        if not known:
            there[key] = label.choice
            yield one
        elif known == label.choice:
            yield Planned(label, Outcome.SAME, one.attempt)
        else:
            message = _("this labeller gave this answer another label before, which is kept")
            yield Planned(label, Outcome.REFUSED, message=message)


class _Finder:
    """Finds the answers that rows name among those that somebody may rule on."""

    def __init__(self, user: User, labels: list[Label]) -> None:
        named = {label.model for label in labels if not label.fault and label.attempt is None}
        numbers = {label.attempt for label in labels if label.attempt is not None}
        rulable = list_rulable(user).select_related("revision__problem", "submission__solver")
        standing = rulable.filter(submission__withdrawn_at=None)
        found = rulable.filter(pk__in=numbers) | standing.filter(submission__solver__name__in=named)
        self._by_number: dict[int, Attempt] = {}
        self._by_name: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for attempt in found.order_by("pk").defer("response"):
            assert attempt.submission is not None
            self._by_number[attempt.pk] = attempt
            name = attempt.submission.solver.name
            self._by_name[attempt.revision.problem.identifier, name].append(attempt)

    def find(self, label: Label) -> list[int]:
        if label.attempt is not None:
            numbered = self._by_number.get(label.attempt)
            return [numbered.pk] if numbered and _fits(numbered, label) else []
        named = self._by_name[label.id, label.model]
        return [
            attempt.pk
            for attempt in named
            if _fits(attempt, label)
            and attempt.submission is not None
            and attempt.submission.withdrawn_at is None
        ]


def _fits(attempt: Attempt, label: Label) -> bool:
    """Tell whether an answer is what else a row says of it."""
    assert attempt.submission is not None
    return (
        label.id in ("", attempt.revision.problem.identifier)
        and label.model in ("", attempt.submission.solver.name)
        and label.sample in (None, attempt.sample)
        and label.submission in (None, attempt.submission_id)
    )


@transaction.atomic
def take(file: LabelFile) -> int:
    """Take what a file says and is not there yet; return how many labels that was."""
    file = (
        LabelFile.objects.select_for_update(of=["self"])
        .select_related("brought_by")
        .get(pk=file.pk)
    )
    if file.taken_at is not None:
        return 0
    Ruling.objects.bulk_create(
        [
            Ruling(
                attempt_id=one.attempt,
                ruled_by=file.brought_by,
                choice=one.label.choice,
                reason=one.label.note,
                label_file=file,
                labeller=one.label.labeller,
            )
            for one in plan(file)
            if one.outcome is Outcome.NEW and one.attempt is not None
        ],
        # Of two files that say the same at once, one is first.
        ignore_conflicts=True,
    )
    file.taken_at = timezone.now()
    file.save(update_fields=["taken_at"])
    return file.labels.count()


@transaction.atomic
def discard(file: LabelFile) -> bool:
    """Forget a file that was only looked at; False where its labels were taken."""
    # To delete what is found would hold nothing: it is looked at first.
    found = LabelFile.objects.select_for_update().filter(pk=file.pk).first()
    if found is not None and found.taken_at is None:
        found.delete()
    return found is None or found.taken_at is None
