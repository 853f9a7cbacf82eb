"""What reviewers wrote to who writes a problem, since they last read their news."""

from collections.abc import Iterator

from django.db.models.functions import Greatest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.models import Problem
from curation.problems.wording import name_in
from curation.reviewing.discussion.models import Comment
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User


@desk_lines(Role.CONTRIBUTOR)
def list_replies(reader: User) -> Iterator[Line]:
    """Tell of new comments on somebody's problems, once the round they are of is closed."""
    # Writers read them then and not before: `rounds.permissions.choose_readable`.
    news = (
        Comment.objects.filter(round__revision__problem__in=Problem.objects.of(reader))
        .exclude(round__closed_at=None)
        .exclude(writer=reader)
        .annotate(told_at=Greatest("at", "round__closed_at"))
        .filter(told_at__gt=reader.news_read_at)
    )
    count = news.count()
    newest = news.select_related("round__revision__problem").order_by("-told_at", "-pk").first()
    if newest is None:
        return
    problem = newest.round.revision.problem
    problems = news.values("round__revision__problem").distinct().count()
    text = ngettext(
        "%(count)d new message about your problems.",
        "%(count)d new messages about your problems.",
        count,
    )
    said = text % {"count": count}
    if problems == 1:
        one = ngettext(
            "%(count)s new message about “%(title)s”.",
            "%(count)s new messages about “%(title)s”.",
            count,
        )
        said = name_in(one, problem, count=count)
    action = _("Read it") if count == 1 else _("Read them")
    address = reverse("curation:problem", args=[problem.pk])
    yield Line(Urgency.NEWS, said, action, address, count, newest.told_at)
