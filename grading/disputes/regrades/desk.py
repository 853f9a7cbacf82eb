"""Grading runs to decide on, and corrections that no run that counts has taken up."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import ngettext_lazy

from grading.answers.runs.models import GradingRun
from grading.disputes.regrades.today import count_waiting
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_runs(user: User) -> Iterator[Line]:
    yield from count_line(
        GradingRun.objects.proposed(),
        "created_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d regrade to decide on.", "%(count)d regrades to decide on.", "count"
        ),
        ngettext_lazy("Decide on it", "Decide on them", "count"),
        reverse("grading:regrades"),
    )
    if count := count_waiting():
        text = ngettext_lazy(
            "%(count)d correction does not count yet: grade the answers again.",
            "%(count)d corrections do not count yet: grade the answers again.",
            "count",
        )
        action = ngettext_lazy("See which one", "See which ones", "count") % {"count": count}
        address = reverse("grading:regrades")
        yield Line(Urgency.LATER, text % {"count": count}, action, address, count)
