"""What reviewers are told by e-mail: what is new to them, due soon or overdue."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.reviewing.rounds.models import Assignment
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.news.mails.models import When
from phybench.people.models import Role, User

SOON = timedelta(days=3)


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find what was assigned since, once what is due soon, and each day what is overdue."""
    held = Assignment.objects.open().order_by("pk")
    for pk, person, assigned_at, due_at in held.values_list(
        "pk", "reviewer", "assigned_at", "due_at"
    ):
        if due_at and due_at < now:
            yield person, f"{pk} overdue {now:%Y-%m-%d}"
        elif due_at and due_at < now + SOON:
            yield person, f"{pk} soon"
        elif assigned_at > since:
            yield person, f"{pk} new"


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    """Tell of each that is still open, the most pressing first, as it stands now."""
    numbers = {int(key.partition(" ")[0]) for key in keys}
    found = person.assignments.open().filter(pk__in=numbers)
    for one in found.select_related("round__revision__problem").order_by("due_at", "pk"):
        names = {"title": one.round.revision.problem.title, "day": ""}
        text = _("You are asked to review “%(title)s”.")
        if one.due_at:
            names["day"] = date_format(one.due_at, "DATE_FORMAT")
            text = _("Your review of “%(title)s” is due on %(day)s.")
            if one.due_at < timezone.now():
                text = _("Your review of “%(title)s” is overdue since %(day)s.")
        yield Item(text % names, reverse("curation:review", args=[one.round_id]))


REVIEWS = register(
    MailKind(
        name="reviews",
        label=gettext_lazy(
            "You are asked for reviews, or some are due within three days or overdue"
        ),
        roles=(Role.REVIEWER,),
        find=find,
        tell=tell,
        default=When.DAILY,
    )
)
