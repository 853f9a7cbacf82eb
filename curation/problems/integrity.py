"""What holds of problems: each stands where its last step led."""

from django.db.models import F, OuterRef, Q, Subquery

from curation.problems.models import Event, Problem
from phybench.work.integrity import Invariant, register, those

_steps = Event.objects.filter(problem=OuterRef("pk")).order_by("-pk")

register(
    Invariant(
        Problem.objects.annotate(led_to=Subquery(_steps.values("to_status")[:1])).filter(
            led_to__isnull=False
        ),
        those(~Q(status=F("led_to"))),
        "stands elsewhere than its last step led",
    ),
)
