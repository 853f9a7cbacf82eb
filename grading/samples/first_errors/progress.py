"""How far a sample is: by person, and whether there are people enough who may label it."""

from django.db.models import Count, Q

from grading.samples.first_errors.actions import list_open
from grading.samples.first_errors.models import (
    FirstErrorItem,
    FirstErrorLabel,
    FirstErrorLabeller,
    FirstErrorSample,
)
from grading.samples.first_errors.permissions import find_barred_from_first_errors
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


def find_own(user: User, sample: FirstErrorSample) -> OwnProgress:
    labels = FirstErrorLabel.objects.filter(item__sample=sample)
    return measure_own(user, list_open(user, sample), labels)


def list_labellers(sample: FirstErrorSample) -> list[Labeller[FirstErrorLabeller]]:
    """List who labels a sample, or was asked to, with how many labels each gave."""
    counted = Q(first_error_labels__item__sample=sample, first_error_labels__taken_back_at=None)
    asked = {
        one.person_id: one
        for one in sample.labellers.filter(taken_off_at=None).select_related("asked_by")
    }
    people = User.objects.annotate(done=Count("first_error_labels", filter=counted)).filter(
        Q(done__gt=0) | Q(pk__in=asked)
    )
    return [
        Labeller(one, one.done, asked.get(one.pk)) for one in people.order_by("display_name", "pk")
    ]


def find_shortage(sample: FirstErrorSample) -> Shortage:
    """Find the answers that need one more person who may label them; as many queries for any."""
    if not sample.is_open:
        return Shortage(0, 0, [])
    asked = sample.labellers.filter(taken_off_at=None)
    people = list_who_label(asked.values("person"))
    unlabelled, unadjudicated = find_short(
        FirstErrorItem.objects.filter(sample=sample),
        FirstErrorLabel.objects.filter(item__sample=sample),
        people,
        find_barred_from_first_errors(people, sample),
    )
    short = [*unlabelled, *unadjudicated]
    whose = Organisation.objects.filter(solvers__attempts__first_error_items__in=short)
    return Shortage(
        to_label=len(unlabelled),
        to_adjudicate=len(unadjudicated),
        organisations=list(whose.distinct()) if short else [],
    )
