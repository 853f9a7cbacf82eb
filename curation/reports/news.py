"""What who writes a problem is told by e-mail: that somebody reported an error in it."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.models import Problem
from curation.problems.news import tell_writers
from curation.reports.models import ErrorReport
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    reports = ErrorReport.objects.open().filter(reported_at__gt=since, revision__isnull=False)
    return tell_writers(list(reports.values_list("pk", "revision__problem", "reporter")))


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    found = ErrorReport.objects.open().filter(
        pk__in=[int(key) for key in keys], revision__problem__in=Problem.objects.of(person)
    )
    for one in found.select_related("revision__problem").order_by("pk"):
        if one.revision:
            names = {"title": one.revision.problem.title}
            text = _("An error was reported in “%(title)s”.")
            yield Item(text % names, one.get_absolute_url())


REPORTS = register(
    MailKind(
        name="reports",
        label=gettext_lazy("Somebody reports an error in a problem of yours"),
        roles=(Role.CONTRIBUTOR,),
        find=find,
        tell=tell,
    )
)
