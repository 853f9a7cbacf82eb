"""Who labels which answers of samples of first errors."""

from collections.abc import Iterable

from grading.samples.first_errors.models import (
    FirstErrorItem,
    FirstErrorItemQuerySet,
    FirstErrorLabeller,
    FirstErrorSample,
    FirstErrorSampleQuerySet,
)
from grading.samples.labelling.permissions import draws_samples, find_part_in, list_labellers
from phybench.people.models import User


def list_first_errors(user: User) -> FirstErrorSampleQuerySet:
    """Return the samples that `user` may label; all of them for an admin."""
    found = FirstErrorSample.objects.listed()
    if draws_samples(user):
        return found
    if not list_labellers().filter(pk=user.pk).exists():
        return found.none()
    asked = FirstErrorLabeller.objects.filter(person=user, taken_off_at=None)
    return found.filter(pk__in=asked.values("sample"))


def list_first_errors_to_label(user: User, sample: FirstErrorSample) -> FirstErrorItemQuerySet:
    """Return the answers of a sample that `user` may label, whether or not they have."""
    found = FirstErrorItem.objects.filter(sample=sample)
    if not list_first_errors(user).filter(pk=sample.pk).exists():
        return found.none()
    return found.exclude(pk__in=find_barred_from_first_errors([user], sample)[user.pk])


def find_barred_from_first_errors(
    people: Iterable[User], sample: FirstErrorSample
) -> dict[int, set[int]]:
    """Return by person the answers of a sample that they have a part in, and so may not label."""
    return _find_barred_from(people, FirstErrorItem.objects.filter(sample=sample))


def list_first_errors_of_all(user: User) -> FirstErrorItemQuerySet:
    """Return the answers of all open samples that `user` may label; as many queries for any."""
    samples = list(list_first_errors(user).open().values_list("pk", flat=True))
    if not samples:
        return FirstErrorItem.objects.none()
    found = FirstErrorItem.objects.filter(sample__in=samples)
    return found.exclude(pk__in=_find_barred_from([user], found)[user.pk])


def _find_barred_from(people: Iterable[User], items: FirstErrorItemQuerySet) -> dict[int, set[int]]:
    rows = items.order_by().values_list(
        "pk",
        "attempt__solver__user",
        "attempt__submission__uploaded_by",
        "attempt__solver__organisation",
    )
    return find_part_in(people, ((pk, owners, organisation) for pk, *owners, organisation in rows))
