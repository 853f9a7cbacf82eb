"""How far a sample is: by person, and whether there are people enough who may label it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from grading.samples.labelling.actions import list_to_adjudicate, list_to_label
from grading.samples.labelling.models import (
    LABELS,
    AnyItem,
    AnyLabel,
    AskedLabeller,
    ItemQuerySet,
    LabelQuerySet,
)
from grading.solvers.models import Organisation
from phybench.people.models import User

Asked = TypeVar("Asked", bound=AskedLabeller)


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """What somebody did of a sample, and what is left for them."""

    done: int
    left: int
    to_adjudicate: int

    @property
    def total(self) -> int:
        return self.done + self.left


def measure_own(
    user: User, labelable: ItemQuerySet[AnyItem], labels: LabelQuerySet[AnyLabel]
) -> OwnProgress:
    """
    Count what somebody labelled, and what is left for them.

    Args:
        labelable: what they may label now, none of a sample that is not open.
        labels: those of the sample.
    """
    return OwnProgress(
        done=labels.standing().filter(person=user).count(),
        left=list_to_label(user, labelable).count(),
        to_adjudicate=list_to_adjudicate(user, labelable).count(),
    )


@dataclass(frozen=True, slots=True)
class Labeller(Generic[Asked]):
    """Somebody who labels a sample, or was asked to."""

    person: User
    done: int
    asked: Asked | None
    """None of an admin, who was not asked, and of who was taken off."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """Answers that those who may label them are too few for."""

    to_label: int
    to_adjudicate: int
    organisations: list[Organisation]
    """Whose members can't be the ones who are asked."""

    @property
    def is_any(self) -> bool:
        return bool(self.to_label or self.to_adjudicate)


def find_short(
    items: ItemQuerySet[AnyItem],
    labels: LabelQuerySet[AnyLabel],
    people: Iterable[User],
    barred: Mapping[int, Collection[int]],
) -> tuple[list[int], list[int]]:
    """
    Find the answers that lack a labeller, and those that lack somebody to adjudicate.

    Two queries for any number.

    Args:
        items: those of the sample.
        labels: those of the sample.
        people: who labels it, or was asked to.
        barred: by person what they may not label.
    """
    standing: dict[int, set[int]] = defaultdict(set)
    ever: dict[int, set[int]] = defaultdict(set)
    for one in labels.only("item", "person", "taken_back_at"):
        ever[one.item_id].add(one.person_id)
        if one.taken_back_at is None:
            standing[one.item_id].add(one.person_id)
    people = list(people)
    unlabelled, unadjudicated = [], []
    for item in items.unsettled().values_list("pk", flat=True):
        may = {one.pk for one in people if item not in barred[one.pk]}
        if len(standing[item]) < LABELS:
            if len(may | standing[item]) < LABELS:
                unlabelled.append(item)
        elif not may - ever[item]:
            unadjudicated.append(item)
    return unlabelled, unadjudicated
