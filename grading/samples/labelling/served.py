"""
Which answer a form is about, said so that only who was served it can say it.

Not its number: from gaps between those one could count hidden answers, and name those of others.
"""

from typing import Literal

from django.core.signing import Signer

from grading.samples.labelling.models import AnyItem, ItemQuerySet, LabelledItem
from phybench.people.models import User

Step = Literal["label", "adjudicate"]


def seal(item: LabelledItem, *, person: User, step: Step) -> str:
    """Return what names an answer to one person, at one step; it is the same each time."""
    return _seal(item, item.pk, person=person, step=step)


def find_sealed(
    sealed: str, items: ItemQuerySet[AnyItem], *, person: User, step: Step
) -> AnyItem | None:
    """Return the one of `items` that was sealed for this person and step."""
    for pk in items.order_by().values_list("pk", flat=True):
        if _seal(items.model, pk, person=person, step=step) == sealed:
            return items.get(pk=pk)
    return None


def _seal(kind: LabelledItem | type[LabelledItem], pk: int, *, person: User, step: Step) -> str:
    salt = f"{kind._meta.model_name}-{step}-{person.pk}"
    return Signer(salt=salt).signature(str(pk))
