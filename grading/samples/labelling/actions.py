"""Label answers blind, settle where two differ, end a sample, and who is asked to label."""

import secrets

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.samples.labelling.models import (
    LABELS,
    AnyItem,
    AnyLabel,
    AnySample,
    ItemQuerySet,
    LabelledItem,
    LabelledSample,
    LabelQuerySet,
)
from grading.samples.labelling.permissions import draws_samples, list_labellers
from phybench.people.models import User

SEEDS = 2**53


class CannotDraw(Exception):
    """No sample can be drawn; the message says why."""


class CannotLabel(Exception):
    """A label or an adjudication can't be given or taken back; the message says what to do."""


class CannotChange(Exception):
    """A sample can't be changed like that; the message says why."""


def make_seed() -> int:
    """Return a seed that nobody chose."""
    return secrets.randbelow(SEEDS)


# --- What waits -----------------------------------------------------------------------------


def list_to_label(user: User, labelable: ItemQuerySet[AnyItem]) -> ItemQuerySet[AnyItem]:
    """
    Return the answers that wait for a label of `user`, in the sample's random order.

    Args:
        labelable: what they may label of an open sample, whether or not they have.
    """
    own = labelable.filter(labels__person=user, labels__taken_back_at=None).order_by()
    return labelable.lacking_a_label().exclude(pk__in=own.values("pk")).order_by("place")


def list_to_adjudicate(user: User, labelable: ItemQuerySet[AnyItem]) -> ItemQuerySet[AnyItem]:
    """
    Return the answers that two others labelled differently, and that `user` may settle.

    None while something waits for their own label: how many differ tells what others said.
    """
    if list_to_label(user, labelable).exists():
        return labelable.none()
    own = labelable.filter(labels__person=user).order_by()
    return labelable.differing().exclude(pk__in=own.values("pk")).order_by("place")


# --- Labels: each inside a transaction that holds the sample --------------------------------


def hold(sample: AnySample) -> AnySample:
    """
    Lock a sample while one of its answers is labelled, and see that it is still open.

    So two people at once never give a third label, and of the last two labels one completes it.
    """
    held = type(sample)._default_manager.select_for_update(no_key=True).get(pk=sample.pk)
    if not held.is_open:
        raise CannotLabel(_("This sample has ended, so its labels can’t change."))
    return held


def add_label(
    item: LabelledItem, labels: LabelQuerySet[AnyLabel], *, by: User, choice: str, **said: object
) -> tuple[AnyLabel, bool]:
    """
    Add what somebody says of an answer; say, too, whether it settles it.

    The same said twice is one label.

    Args:
        labels: those of `item`.
        said: what else a label of the kind says.

    Raises:
        CannotLabel: they said otherwise before, or two others have labelled it.
    """
    standing = {one.person_id: one for one in labels.standing()}
    if own := standing.get(by.pk):
        if own.said == choice and all(getattr(own, one) == said[one] for one in said):
            return own, False
        raise CannotLabel(_("You have labelled this answer. Take your label back to change it."))
    if len(standing) >= LABELS:
        raise CannotLabel(_("Two other people have labelled this answer. Here is the next one."))
    [number, *_others] = set(range(1, LABELS + 1)) - {one.number for one in standing.values()}
    given = labels.create(item=item, person=by, number=number, choice=choice, **said)
    choices = {choice, *(one.said for one in standing.values())}
    return given, len(standing) + 1 == LABELS and len(choices) == 1


def take_back_last(
    labelable: ItemQuerySet[AnyItem], labels: LabelQuerySet[AnyLabel], *, by: User
) -> AnyLabel:
    """
    Take back the last label that `by` gave in a sample; it is kept, and counts no more.

    Args:
        labels: those of the whole sample.

    Raises:
        CannotLabel: there is none, it is theirs to label no more, or somebody else labelled the
            same answer (else one could probe what they said).
    """
    given = labels.standing()
    last = given.filter(person=by).order_by("pk").last()
    if last is None:
        raise CannotLabel(_("You have no label here to take back."))
    if not labelable.filter(pk=last.item_id).exists():
        raise CannotLabel(_("You can’t label this answer: it is yours, or you were not asked to."))
    if given.filter(item=last.item_id).exclude(person=by).exists():
        raise CannotLabel(
            _("Another person has also labelled your last answer, so its labels can’t change.")
        )
    last.taken_back_at = timezone.now()
    last.save(update_fields=["taken_back_at"])
    return last


def require_adjudicable(
    item: LabelledItem,
    labelable: ItemQuerySet[AnyItem],
    labels: LabelQuerySet[AnyLabel],
    *,
    by: User,
) -> None:
    """
    See that somebody may settle an answer that two others labelled differently.

    Raises:
        CannotLabel: they labelled it themselves, may not, or it is settled.
    """
    if not labelable.filter(pk=item.pk).exists():
        raise CannotLabel(
            _("You can’t adjudicate this answer: it is yours, or you have no access to it.")
        )
    if labels.filter(person=by).exists():
        raise CannotLabel(
            _("You labelled this answer yourself. Ask another admin to adjudicate it.")
        )
    if not labelable.differing().filter(pk=item.pk).exists():
        raise CannotLabel(_("This answer is already decided, or its labels agree."))


def settle(
    sample: LabelledSample, items: ItemQuerySet[AnyItem], item: LabelledItem, choice: str
) -> None:
    """Write what an answer is; the last of a sample's `items` completes it."""
    items.filter(pk=item.pk).update(outcome=choice)
    if not items.unsettled().exists():
        sample.completed_at = timezone.now()
        sample.save(update_fields=["completed_at"])


# --- The sample -----------------------------------------------------------------------------


def end(*, sample: LabelledSample, by: User, why: str) -> None:
    """
    End a sample before all is labelled, in a transaction. It stays listed with the reason.

    Raises:
        CannotChange: it is complete, or ended already.
    """
    require_admin(by)
    held = type(sample)._default_manager.select_for_update(no_key=True).get(pk=sample.pk)
    if not held.is_open:
        raise CannotChange(_("This sample has already ended."))
    held.ended_at, held.ended_by, held.why_ended = timezone.now(), by, why
    held.save(update_fields=["ended_at", "ended_by", "why_ended"])


def require_labeller(person: User, *, by: User) -> None:
    """See that `by` may ask `person` to label."""
    require_admin(by)
    if not list_labellers().filter(pk=person.pk).exists():
        raise CannotChange(
            _(
                "Only reviewers and evaluators can be asked to label. Admins can label "
                "without being asked."
            )
        )


def require_admin(by: User) -> None:
    if not draws_samples(by):
        raise PermissionDenied(_("Only admins manage a sample."))
