"""What who contested a grade is told by e-mail: that there is a ruling, and nothing of the key."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.disputes.contests.models import Contest
from grading.disputes.contests.outcomes import say, tell_why
from grading.disputes.contests.permissions import list_own_contests
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    ruled = Contest.objects.ruled().filter(ruled_at__gt=since)
    for pk, person in ruled.values_list("pk", "contested_by"):
        yield person, str(pk)


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    """Tell it as to somebody who may not see the key: mail is kept by others."""
    found = list_own_contests(person).ruled().filter(pk__in=[int(key) for key in keys])
    for one in found.select_related("attempt__revision__problem", "override").order_by("pk"):
        text = _("The grade of your answer to %(identifier)s was ruled on.")
        first = text % {"identifier": one.attempt.revision.problem.identifier}
        lines = [first, say(one), tell_why(one)]
        yield Item("\n".join(filter(None, lines)), one.attempt.get_absolute_url())


RULINGS = register(
    MailKind(
        name="rulings",
        label=gettext_lazy("A grade that you contested is ruled on"),
        roles=(Role.EVALUATOR, Role.PARTICIPANT, Role.ADMIN),
        find=find,
        tell=tell,
    )
)
