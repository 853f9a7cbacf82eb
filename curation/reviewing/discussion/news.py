"""What who writes a problem is told by e-mail: that reviewers commented on it."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models.functions import Greatest
from django.utils.translation import gettext_lazy, ngettext

from curation.problems.models import Problem
from curation.problems.news import tell_writers
from curation.reviewing.discussion.models import Comment
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find comments that writers may read since: once the round they are of is closed."""
    comments = Comment.objects.exclude(round__closed_at=None).annotate(
        told_at=Greatest("at", "round__closed_at")
    )
    new = comments.filter(told_at__gt=since)
    return tell_writers(list(new.values_list("pk", "round__revision__problem", "writer")))


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    """Tell of how many there are on each problem; what they say may be of the key."""
    found = (
        Comment.objects.filter(pk__in=[int(key) for key in keys])
        .exclude(round__closed_at=None)
        .values_list("round__revision__problem", flat=True)
    )
    counts: dict[int, int] = {}
    for problem in found:
        counts[problem] = counts.get(problem, 0) + 1
    for one in Problem.objects.of(person).filter(pk__in=counts).order_by("pk"):
        text = ngettext(
            "%(count)s new message about “%(title)s”.",
            "%(count)s new messages about “%(title)s”.",
            counts[one.pk],
        )
        yield Item(text % {"count": counts[one.pk], "title": one.title}, one.get_absolute_url())


COMMENTS = register(
    MailKind(
        name="comments",
        label=gettext_lazy("Reviewers write about a problem of yours"),
        roles=(Role.CONTRIBUTOR,),
        find=find,
        tell=tell,
        default=When.DAILY,
    )
)
