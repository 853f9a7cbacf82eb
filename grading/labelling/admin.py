"""What the back office shows of any sample that people label."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from phybench.admin import ReadOnlyAdmin


class OfCompleteSamples(ReadOnlyAdmin):
    """What people said, once that can lead nobody who is still to label."""

    sample = "item__sample"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        return found.filter(**{f"{self.sample}__completed_at__isnull": False})
