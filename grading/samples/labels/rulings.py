"""People's rulings on answers: giving one, and what the given ones settle."""

from collections import Counter
from enum import StrEnum

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from grading.answers.models import Attempt
from grading.samples.labels.models import Ruling
from grading.samples.labels.permissions import can_rule
from phybench.people.models import User


class CannotRule(Exception):
    """A ruling can't be given; the message says why."""


def rule(*, attempt: Attempt, by: User, choice: str, reason: str) -> Ruling:
    """
    Rule on an answer, once; it can't be taken back.

    Raises:
        CannotRule: it is not theirs to rule on, or they have.
    """
    if not can_rule(by, attempt):
        raise CannotRule(
            _(
                "You can’t rule on this answer: you may not see its reference answer, or "
                "it is yours."
            )
        )
    try:
        with transaction.atomic():
            return Ruling.objects.create(attempt=attempt, ruled_by=by, choice=choice, reason=reason)
    except IntegrityError:
        raise CannotRule(_("You have ruled on this answer already.")) from None


class Source(StrEnum):
    """Whose word is taken for what is so."""

    ALL = ""
    PAGES = "pages"
    """Rulings given here, blind."""
    FILES = "files"
    """Labels that were brought in files."""


def list_decided(source: Source = Source.ALL) -> QuerySet[Ruling]:
    """Return what people could tell of answers, oldest first."""
    found = Ruling.objects.exclude(choice=Ruling.Choice.CANT_TELL).order_by("pk")
    if source is Source.ALL:
        return found
    return found.filter(label_file__isnull=source is Source.PAGES)


def settled(source: Source = Source.ALL) -> dict[int, bool]:
    """
    Return what people said of each answer.

    Of rulings on pages the newest that could tell counts. Where there is none, the majority of the
    labels from files does; labels that are evenly split settle nothing.
    """
    labels: dict[int, Counter[bool]] = {}
    ruled: dict[int, bool] = {}
    rows = list_decided(source).values_list("attempt_id", "choice", "label_file_id")
    for attempt, choice, file in rows:
        is_right = choice == Ruling.Choice.RIGHT
        if file is None:
            ruled[attempt] = is_right
        else:
            labels.setdefault(attempt, Counter())[is_right] += 1
    labelled = {
        attempt: votes[True] > votes[False]
        for attempt, votes in labels.items()
        if votes[True] != votes[False]
    }
    return labelled | ruled
