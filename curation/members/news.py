"""What somebody is told by e-mail who asked for a role: that an admin granted or declined it."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.members.models import RoleRequest
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import User

Outcome = RoleRequest.Outcome
DECIDED = (Outcome.GRANTED, Outcome.DECLINED)


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    decided = RoleRequest.objects.filter(outcome__in=DECIDED, decided_at__gt=since)
    for pk, person in decided.values_list("pk", "person"):
        yield person, str(pk)


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    found = person.role_requests.filter(outcome__in=DECIDED, pk__in=[int(key) for key in keys])
    for one in found.order_by("pk"):
        yield Item(_say(one), reverse("curation:my_roles"))


def _say(request: RoleRequest) -> str:
    words = {"role": request.get_role_display(), "reason": request.reason}
    if request.outcome == Outcome.GRANTED:
        return _("You now have the role %(role)s.") % words
    # The subject is the first line: why it was declined is read in the e-mail.
    return (
        _("An admin declined your request for the role %(role)s.\nThe reason: %(reason)s") % words
    )


ROLE_REQUESTS = register(
    MailKind(
        name="role_requests",
        label=gettext_lazy("An admin decides your request for a role"),
        # Whoever asks may hold none yet.
        roles=(),
        find=find,
        tell=tell,
    )
)
