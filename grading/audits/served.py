"""
Which answer a form is about, said so that only who was served it can say it.

Not its number: from gaps between those one could count hidden answers, and name those of others.
"""

from typing import Literal

from django.core.signing import Signer

from grading.audits.models import AuditItem, AuditItemQuerySet
from phybench.models import User

Step = Literal["label", "adjudicate"]


def seal(item: AuditItem, *, person: User, step: Step) -> str:
    """Return what names an answer to one person, at one step; it is the same each time."""
    return _seal(item.sample_id, item.pk, person=person, step=step)


def find_sealed(
    sealed: str, items: AuditItemQuerySet, *, person: User, step: Step
) -> AuditItem | None:
    """Return the one of `items` that was sealed for this person and step."""
    for sample, pk in items.order_by().values_list("sample", "pk"):
        if _seal(sample, pk, person=person, step=step) == sealed:
            return items.get(pk=pk)
    return None


def _seal(sample: int, pk: int, *, person: User, step: Step) -> str:
    return Signer(salt=f"audit-{step}-{person.pk}-{sample}").signature(str(pk))
