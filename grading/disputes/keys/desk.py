"""Reference answers in doubt."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import ngettext_lazy

from grading.disputes.keys.models import KeyCheck
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_doubted(user: User) -> Iterator[Line]:
    return count_line(
        KeyCheck.objects.waiting(),
        "computed_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d reference answer is in doubt.",
            "%(count)d reference answers are in doubt.",
            "count",
        ),
        ngettext_lazy("Look into it", "Look into them", "count"),
        reverse("grading:keys"),
    )
