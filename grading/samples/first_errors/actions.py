"""Label first errors, settle where two differ, and end a sample; who is asked to label."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.samples.first_errors.models import (
    FirstErrorAdjudication,
    FirstErrorItem,
    FirstErrorItemQuerySet,
    FirstErrorLabel,
    FirstErrorLabeller,
    FirstErrorSample,
)
from grading.samples.first_errors.permissions import list_first_errors_to_label
from grading.samples.labelling import actions as labelling
from grading.samples.labelling.actions import CannotLabel
from grading.samples.labelling.models import ItemQuerySet
from phybench.people.models import User


def list_open(user: User, sample: FirstErrorSample) -> FirstErrorItemQuerySet:
    """Return what `user` may label now, whether or not they have."""
    if not sample.is_open:
        return FirstErrorItem.objects.none()
    return list_first_errors_to_label(user, sample)


def list_to_label(user: User, sample: FirstErrorSample) -> ItemQuerySet[FirstErrorItem]:
    """Return the answers that wait for a label of `user`, in the sample's random order."""
    return labelling.list_to_label(user, list_open(user, sample))


def list_to_adjudicate(user: User, sample: FirstErrorSample) -> ItemQuerySet[FirstErrorItem]:
    """Return the answers that two others labelled differently, and that `user` may settle."""
    return labelling.list_to_adjudicate(user, list_open(user, sample))


@transaction.atomic
def label(
    *,
    item: FirstErrorItem,
    by: User,
    choice: str,
    passage: str = "",
    start: int | None = None,
    comment: str = "",
) -> FirstErrorLabel:
    """
    Say what an answer's first error is, blind. The same said twice is one label.

    Two agree who say the same kind, wherever each sees it begin.

    Raises:
        CannotLabel: the sample has ended, it is not theirs to label, or two have labelled it.
    """
    sample = labelling.hold(item.sample)
    if not list_first_errors_to_label(by, sample).filter(pk=item.pk).exists():
        raise CannotLabel(_("You can’t label this answer: it is yours, or you were not asked to."))
    labels = FirstErrorLabel.objects.filter(item=item)
    given, settles = labelling.add_label(
        item, labels, by=by, choice=choice, passage=passage, start=start, comment=comment
    )
    if settles:
        labelling.settle(sample, FirstErrorItem.objects.filter(sample=sample), item, choice)
    return given


@transaction.atomic
def take_back(*, sample: FirstErrorSample, by: User) -> FirstErrorLabel:
    """
    Take back the last label that `by` gave in a sample; it is kept, and counts no more.

    Raises:
        CannotLabel: as `labelling.take_back_last` says, or the sample has ended.
    """
    sample = labelling.hold(sample)
    labels = FirstErrorLabel.objects.filter(item__sample=sample)
    labelable = list_first_errors_to_label(by, sample)
    return labelling.take_back_last(labelable, labels, by=by)


@transaction.atomic
def adjudicate(
    *,
    item: FirstErrorItem,
    by: User,
    choice: str,
    reason: str,
    passage: str = "",
    start: int | None = None,
) -> FirstErrorAdjudication:
    """
    Settle an answer that two others labelled differently, for good.

    Raises:
        CannotLabel: they labelled it themselves, may not, or it is settled.
    """
    sample = labelling.hold(item.sample)
    labelable = list_first_errors_to_label(by, sample)
    labels = FirstErrorLabel.objects.filter(item=item)
    labelling.require_adjudicable(item, labelable, labels, by=by)
    made = FirstErrorAdjudication.objects.create(
        item=item, person=by, choice=choice, passage=passage, start=start, reason=reason
    )
    labelling.settle(sample, FirstErrorItem.objects.filter(sample=sample), item, choice)
    return made


# --- The sample -----------------------------------------------------------------------------


@transaction.atomic
def end(*, sample: FirstErrorSample, by: User, why: str) -> None:
    """End a sample before all is labelled. It stays listed with the reason, without shares."""
    labelling.end(sample=sample, by=by, why=why)


def ask(*, sample: FirstErrorSample, person: User, by: User) -> FirstErrorLabeller:
    """Ask somebody to label a sample; who was asked already is not asked twice."""
    labelling.require_labeller(person, by=by)
    asked, _is_new = FirstErrorLabeller.objects.get_or_create(
        sample=sample, person=person, taken_off_at=None, defaults={"asked_by": by}
    )
    return asked


def take_off(*, labeller: FirstErrorLabeller, by: User) -> None:
    """Let somebody label a sample no more; the labels that they gave stay."""
    labelling.require_admin(by)
    FirstErrorLabeller.objects.filter(pk=labeller.pk, taken_off_at=None).update(
        taken_off_at=timezone.now()
    )
