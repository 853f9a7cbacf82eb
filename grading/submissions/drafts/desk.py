"""Answers that an evaluator's organisations put together and have not had graded."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from grading.submissions.drafts import permissions
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.EVALUATOR)
def list_drafts(user: User) -> Iterator[Line]:
    return count_line(
        permissions.list_drafts(user).open(),
        "made_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d draft of answers is not graded yet.",
            "%(count)d drafts of answers are not graded yet.",
            "count",
        ),
        _("See your drafts"),
        reverse("grading:upload"),
    )
