"""What waits for somebody in the samples of one kind, in a line of their desk."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import ngettext_lazy

from grading.samples.labelling.actions import list_to_adjudicate, list_to_label
from grading.samples.labelling.models import AnyItem, ItemQuerySet
from phybench.news.desks.counting import Counted, count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.people.models import User


@dataclass(frozen=True, slots=True)
class Words:
    """How one step is told of, and the page on which it is done for one sample."""

    text: Counted
    page: str


def tell_samples(
    user: User, labelable: ItemQuerySet[AnyItem], *, label: Words, settle: Words
) -> Iterator[Line]:
    """
    Tell of answers that wait for somebody's label, or, once there are none, to be settled.

    Args:
        labelable: what they may label of all open samples.
    """
    if labelable.query.is_empty():
        return
    for found, words, action in (
        (list_to_label(user, labelable), label, ngettext_lazy("Label it", "Label them", "count")),
        (
            list_to_adjudicate(user, labelable),
            settle,
            ngettext_lazy("Settle it", "Settle them", "count"),
        ),
    ):
        if sample := found.order_by("sample").values_list("sample", flat=True).first():
            address = reverse(words.page, args=[sample])
            yield from count_line(
                found, "sample__drawn_at", Urgency.SOON, words.text, action, address
            )
            return
