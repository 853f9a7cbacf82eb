"""How far an audit sample is: by person, and whether there are people enough who may label it."""

from django.db.models import Count, Q

from grading.samples.audits.actions import list_open
from grading.samples.audits.models import AuditItem, AuditLabel, AuditLabeller, AuditSample
from grading.samples.audits.permissions import find_barred
from grading.samples.labelling.permissions import list_who_label
from grading.samples.labelling.progress import (
    Labeller,
    OwnProgress,
    Shortage,
    find_short,
    measure_own,
)
from grading.solvers.models import Organisation
from phybench.people.models import User


def find_own(user: User, sample: AuditSample) -> OwnProgress:
    labels = AuditLabel.objects.filter(item__sample=sample)
    return measure_own(user, list_open(user, sample), labels)


def list_labellers(sample: AuditSample, *, with_hidden: bool) -> list[Labeller[AuditLabeller]]:
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


def find_shortage(sample: AuditSample) -> Shortage:
    """Find the answers that need one more person who may label them; as many queries for any."""
    if not sample.is_open:
        return Shortage(0, 0, [])
    asked = sample.labellers.filter(taken_off_at=None)
    people = list_who_label(asked.values("person"))
    unlabelled, unadjudicated = find_short(
        AuditItem.objects.filter(sample=sample),
        AuditLabel.objects.filter(item__sample=sample),
        people,
        find_barred(people, sample),
    )
    short = [*unlabelled, *unadjudicated]
    whose = Q(solvers__attempts__audit_items__in=short) | Q(
        hidden_batches__answers__audit_items__in=short
    )
    return Shortage(
        to_label=len(unlabelled),
        to_adjudicate=len(unadjudicated),
        organisations=list(Organisation.objects.filter(whose).distinct()) if short else [],
    )
