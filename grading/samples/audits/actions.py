"""Label the answers of a sample, settle where two differ, and end it; who is asked to label."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.samples.audits.models import (
    AuditAdjudication,
    AuditItem,
    AuditItemQuerySet,
    AuditLabel,
    AuditLabeller,
    AuditSample,
)
from grading.samples.audits.permissions import list_labelable
from grading.samples.labelling import actions as labelling
from grading.samples.labelling.actions import CannotLabel
from grading.samples.labelling.models import ItemQuerySet
from phybench.people.models import User


def list_to_label(user: User, sample: AuditSample) -> ItemQuerySet[AuditItem]:
    """Return the answers that wait for a label of `user`, in the sample's random order."""
    return labelling.list_to_label(user, list_open(user, sample))


def list_to_adjudicate(user: User, sample: AuditSample) -> ItemQuerySet[AuditItem]:
    """Return the answers that two others labelled differently, and that `user` may settle."""
    return labelling.list_to_adjudicate(user, list_open(user, sample))


def list_open(user: User, sample: AuditSample) -> AuditItemQuerySet:
    """Return what `user` may label now, whether or not they have."""
    if not sample.is_open:
        return AuditItem.objects.none()
    return list_labelable(user, sample)


@transaction.atomic
def label(*, item: AuditItem, by: User, choice: str, note: str = "") -> AuditLabel:
    """
    Say what an answer is, blind. The same said twice is one label.

    Raises:
        CannotLabel: the sample has ended, it is not theirs to label, or two have labelled it.
    """
    sample = labelling.hold(item.sample)
    if not list_labelable(by, sample).filter(pk=item.pk).exists():
        raise CannotLabel(_("You can’t label this answer: it is yours, or you were not asked to."))
    labels = AuditLabel.objects.filter(item=item)
    given, settles = labelling.add_label(item, labels, by=by, choice=choice, note=note)
    if settles:
        labelling.settle(sample, AuditItem.objects.filter(sample=sample), item, choice)
    return given


@transaction.atomic
def take_back(*, sample: AuditSample, by: User) -> AuditLabel:
    """
    Take back the last label that `by` gave in a sample; it is kept, and counts no more.

    Raises:
        CannotLabel: as `labelling.take_back_last` says, or the sample has ended.
    """
    sample = labelling.hold(sample)
    labels = AuditLabel.objects.filter(item__sample=sample)
    return labelling.take_back_last(list_labelable(by, sample), labels, by=by)


@transaction.atomic
def adjudicate(*, item: AuditItem, by: User, choice: str, reason: str) -> AuditAdjudication:
    """
    Settle an answer that two others labelled differently, for good.

    Raises:
        CannotLabel: they labelled it themselves, may not, or it is settled.
    """
    sample = labelling.hold(item.sample)
    labelable = list_labelable(by, sample)
    labels = AuditLabel.objects.filter(item=item)
    labelling.require_adjudicable(item, labelable, labels, by=by)
    made = AuditAdjudication.objects.create(item=item, person=by, choice=choice, reason=reason)
    labelling.settle(sample, AuditItem.objects.filter(sample=sample), item, choice)
    return made


# --- The sample -----------------------------------------------------------------------------


@transaction.atomic
def end(*, sample: AuditSample, by: User, why: str) -> None:
    """End a sample before all is labelled. It stays listed with the reason, and gives no rates."""
    labelling.end(sample=sample, by=by, why=why)


def ask(*, sample: AuditSample, person: User, by: User) -> AuditLabeller:
    """Ask somebody to label a sample; who was asked already is not asked twice."""
    labelling.require_labeller(person, by=by)
    asked, _is_new = AuditLabeller.objects.get_or_create(
        sample=sample, person=person, taken_off_at=None, defaults={"asked_by": by}
    )
    return asked


def take_off(*, labeller: AuditLabeller, by: User) -> None:
    """Let somebody label a sample no more; the labels that they gave stay."""
    labelling.require_admin(by)
    AuditLabeller.objects.filter(pk=labeller.pk, taken_off_at=None).update(
        taken_off_at=timezone.now()
    )
