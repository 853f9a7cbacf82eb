"""How far a sample is: by person, and whether there are people enough who may label it."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q

from grading import permissions
from grading.audits.actions import list_to_adjudicate, list_to_label
from grading.audits.label_models import AuditLabel
from grading.audits.models import LABELS, AuditLabeller, AuditSample
from grading.solvers.models import Organisation
from phybench.models import User


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """What somebody did of a sample, and what is left for them."""

    done: int
    left: int
    to_adjudicate: int

    @property
    def total(self) -> int:
        return self.done + self.left


def find_own(user: User, sample: AuditSample) -> OwnProgress:
    labels = user.audit_labels.standing().filter(item__sample=sample)
    return OwnProgress(
        done=labels.count(),
        left=list_to_label(user, sample).count(),
        to_adjudicate=list_to_adjudicate(user, sample).count(),
    )


@dataclass(frozen=True, slots=True)
class Labeller:
    """Somebody who labels a sample, or was asked to."""

    person: User
    done: int
    asked: AuditLabeller | None
    """None of an admin, who was not asked, and of who was taken off."""


def list_labellers(sample: AuditSample, *, with_hidden: bool) -> list[Labeller]:
    """List who labels a sample with how many labels each gave, hidden answers' only for admins."""
    counted = Q(audit_labels__item__sample=sample, audit_labels__taken_back_at=None)
    if not with_hidden:
        counted &= Q(audit_labels__item__hidden_answer=None)
    asked = {
        one.person_id: one
        for one in sample.labellers.filter(taken_off_at=None).select_related("asked_by")
    }
    people = User.objects.annotate(done=Count("audit_labels", filter=counted)).filter(
        Q(done__gt=0) | Q(pk__in=asked)
    )
    return [
        Labeller(one, one.done, asked.get(one.pk)) for one in people.order_by("display_name", "pk")
    ]


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


def find_shortage(sample: AuditSample) -> Shortage:
    """Find the answers that need one more person who may label them; as many queries for any."""
    if not sample.is_open:
        return Shortage(0, 0, [])
    asked = sample.labellers.filter(taken_off_at=None)
    people = list(
        (
            permissions.list_audit_admins()
            | permissions.list_labellers().filter(pk__in=asked.values("person"))
        ).distinct()
    )
    barred = permissions.find_barred(people, sample)
    standing: dict[int, set[int]] = defaultdict(set)
    ever: dict[int, set[int]] = defaultdict(set)
    labels = AuditLabel.objects.filter(item__sample=sample)
    for item, person, taken_back_at in labels.values_list("item", "person", "taken_back_at"):
        ever[item].add(person)
        if taken_back_at is None:
            standing[item].add(person)
    unlabelled, unadjudicated = [], []
    for item in sample.items.unsettled().values_list("pk", flat=True):
        may = {one.pk for one in people if item not in barred[one.pk]}
        if len(standing[item]) < LABELS:
            if len(may | standing[item]) < LABELS:
                unlabelled.append(item)
        elif not may - ever[item]:
            unadjudicated.append(item)
    short = [*unlabelled, *unadjudicated]
    whose = Q(solvers__attempts__audit_items__in=short) | Q(
        hidden_batches__answers__audit_items__in=short
    )
    return Shortage(
        to_label=len(unlabelled),
        to_adjudicate=len(unadjudicated),
        organisations=list(Organisation.objects.filter(whose).distinct()) if short else [],
    )
