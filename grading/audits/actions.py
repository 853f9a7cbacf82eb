"""Label the answers of a sample, settle where two differ, and end it; who is asked to label."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from grading import permissions
from grading.audits.label_models import AuditAdjudication, AuditLabel
from grading.audits.models import (
    LABELS,
    AuditItem,
    AuditItemQuerySet,
    AuditLabeller,
    AuditSample,
)
from phybench.models import User


class CannotLabel(Exception):
    """A label or an adjudication can't be given or taken back; the message says what to do."""


class CannotChange(Exception):
    """A sample can't be changed like that; the message says why."""


# --- Labels ---------------------------------------------------------------------------------


def list_to_label(user: User, sample: AuditSample) -> AuditItemQuerySet:
    """Return the answers that wait for a label of `user`, in the sample's random order."""
    if not sample.is_open:
        return AuditItem.objects.none()
    own = user.audit_labels.standing().filter(item=OuterRef("pk"))
    waiting = permissions.list_labelable(user, sample).lacking_a_label()
    return waiting.filter(~Exists(own)).order_by("place")


def list_to_adjudicate(user: User, sample: AuditSample) -> AuditItemQuerySet:
    """
    Return the answers that two others labelled differently, and that `user` may settle.

    None while something waits for their own label: how many differ tells what others said.
    """
    if not sample.is_open or list_to_label(user, sample).exists():
        return AuditItem.objects.none()
    own = user.audit_labels.filter(item=OuterRef("pk"))
    differing = permissions.list_labelable(user, sample).differing()
    return differing.filter(~Exists(own)).order_by("place")


@transaction.atomic
def label(*, item: AuditItem, by: User, choice: str, note: str = "") -> AuditLabel:
    """
    Say what an answer is, blind. The same said twice is one label.

    Raises:
        CannotLabel: the sample has ended, it is not theirs to label, or two have labelled it.
    """
    sample = _hold(item.sample_id)
    if not permissions.list_labelable(by, sample).filter(pk=item.pk).exists():
        raise CannotLabel(_("You can’t label this answer: it is yours, or nobody asked you to."))
    standing = {one.person_id: one for one in item.labels.standing()}
    if own := standing.get(by.pk):
        if own.choice == choice:
            return own
        raise CannotLabel(_("You have labelled this answer. Take that back to change it."))
    if len(standing) >= LABELS:
        raise CannotLabel(_("Two others have labelled this answer meanwhile. Here is the next."))
    [number, *_others] = set(range(1, LABELS + 1)) - {one.number for one in standing.values()}
    given = AuditLabel.objects.create(item=item, person=by, number=number, choice=choice, note=note)
    choices = {choice, *(one.choice for one in standing.values())}
    if len(standing) + 1 == LABELS and len(choices) == 1:
        _settle(sample, item, choice)
    return given


@transaction.atomic
def take_back(*, sample: AuditSample, by: User) -> AuditLabel:
    """
    Take back the last label that `by` gave in a sample; it is kept, and counts no more.

    Raises:
        CannotLabel: there is none, it is theirs to label no more, somebody else labelled the same
            answer (else one could probe what they said), or the sample has ended.
    """
    sample = _hold(sample.pk)
    given = AuditLabel.objects.standing().filter(item__sample=sample)
    last = given.filter(person=by).select_related("item").last()
    if last is None:
        raise CannotLabel(_("You have given no label here that could be taken back."))
    if not permissions.list_labelable(by, sample).filter(pk=last.item_id).exists():
        raise CannotLabel(_("You can’t label this answer: it is yours, or nobody asked you to."))
    if given.filter(item=last.item_id).exclude(person=by).exists():
        raise CannotLabel(
            _("Somebody else has labelled your last answer, too, so its labels stay.")
        )
    last.taken_back_at = timezone.now()
    last.save(update_fields=["taken_back_at"])
    return last


@transaction.atomic
def adjudicate(*, item: AuditItem, by: User, choice: str, reason: str) -> AuditAdjudication:
    """
    Settle an answer that two others labelled differently, for good.

    Raises:
        CannotLabel: they labelled it themselves, may not, or it is settled.
    """
    sample = _hold(item.sample_id)
    if not permissions.list_labelable(by, sample).filter(pk=item.pk).exists():
        raise CannotLabel(_("You can’t adjudicate this answer: it is yours, or not for you."))
    if item.labels.filter(person=by).exists():
        raise CannotLabel(
            _("You labelled this answer yourself. Ask another admin to adjudicate it.")
        )
    if not AuditItem.objects.differing().filter(pk=item.pk).exists():
        raise CannotLabel(_("This answer is settled already, or its labels do not differ."))
    made = AuditAdjudication.objects.create(item=item, person=by, choice=choice, reason=reason)
    _settle(sample, item, choice)
    return made


def _hold(pk: int) -> AuditSample:
    """
    Lock a sample while one of its answers is labelled, and see that it is still open.

    So two people at once never give a third label, and of the last two labels one completes it.
    """
    sample = AuditSample.objects.select_for_update(no_key=True).get(pk=pk)
    if not sample.is_open:
        raise CannotLabel(_("This sample has ended: its labels stay as they are."))
    return sample


def _settle(sample: AuditSample, item: AuditItem, choice: str) -> None:
    """Write what an answer is; the last of a sample completes it."""
    AuditItem.objects.filter(pk=item.pk).update(outcome=choice)
    if not sample.items.unsettled().exists():
        sample.completed_at = timezone.now()
        sample.save(update_fields=["completed_at"])


# --- The sample -----------------------------------------------------------------------------


@transaction.atomic
def end(*, sample: AuditSample, by: User, why: str) -> None:
    """
    End a sample before all is labelled. It stays listed with the reason, and gives no rates.

    Raises:
        CannotChange: it is complete, or ended already.
    """
    _require_admin(by)
    sample = AuditSample.objects.select_for_update(no_key=True).get(pk=sample.pk)
    if not sample.is_open:
        raise CannotChange(_("This sample has ended already."))
    sample.ended_at, sample.ended_by, sample.why_ended = timezone.now(), by, why
    sample.save(update_fields=["ended_at", "ended_by", "why_ended"])


def ask(*, sample: AuditSample, person: User, by: User) -> AuditLabeller:
    """Ask somebody to label a sample; who was asked already is not asked twice."""
    _require_admin(by)
    if not permissions.list_labellers().filter(pk=person.pk).exists():
        raise CannotChange(
            _("Only reviewers and evaluators are asked to label; admins may without.")
        )
    asked, _is_new = AuditLabeller.objects.get_or_create(
        sample=sample, person=person, taken_off_at=None, defaults={"asked_by": by}
    )
    return asked


def take_off(*, labeller: AuditLabeller, by: User) -> None:
    """Let somebody label a sample no more; the labels that they gave stay."""
    _require_admin(by)
    AuditLabeller.objects.filter(pk=labeller.pk, taken_off_at=None).update(
        taken_off_at=timezone.now()
    )


def _require_admin(by: User) -> None:
    if not permissions.draws_audits(by):
        raise PermissionDenied(_("Only admins look after a sample."))
