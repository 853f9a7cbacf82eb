"""Runs of judges that are paused."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading.judging.models import JudgeRun
from grading.judging.permissions import list_runs
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN, Role.EVALUATOR)
def list_paused(user: User) -> Iterator[Line]:
    return count_line(
        list_runs(user).filter(state=JudgeRun.State.PAUSED),
        "created_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d run of a judge is paused.", "%(count)d runs of judges are paused.", "count"
        ),
        _("See why"),
        reverse("grading:judge_runs") + "?stands=paused",
    )
