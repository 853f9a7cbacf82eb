"""What writers and reviewers are told by e-mail: that someone else decides where reviews differ."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.models import Problem
from curation.problems.news import tell_writers
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import list_given
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find the rounds that became splits since; who reviewed them can still change that."""
    said = Q(reviews__submitted_at__gt=since) | Q(solves__solved_at__gt=since)
    splits = ReviewRound.objects.split()
    found = ReviewRound.objects.filter(said, pk__in=splits).distinct()
    happened = [(pk, problem, None) for pk, problem in found.values_list("pk", "revision__problem")]
    yield from tell_writers(happened)
    differing = found.exclude(pk__in=splits.rejected_by_all())
    reviews = Review.objects.newest().filter(round__in=differing.values("pk"))
    for reviewer, pk in reviews.values_list("reviewer", "round"):
        yield reviewer, str(pk)


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    waiting = ReviewRound.objects.split().filter(pk__in=[int(key) for key in keys])
    waiting = waiting.select_related("revision__problem").order_by("pk")
    for one in waiting.filter(revision__problem__in=Problem.objects.of(person)):
        problem = one.revision.problem
        text = _("The reviews of “%(title)s” do not settle it: someone else decides.")
        yield Item(text % {"title": problem.title}, problem.get_absolute_url())
    for one in waiting.filter(pk__in=list_given(person)):
        text = _(
            "Reviewers differ on “%(title)s”. Until someone else decides, you can change yours."
        )
        address = reverse("curation:review", args=[one.pk])
        yield Item(text % {"title": one.revision.problem.title}, address)


SPLITS = register(
    MailKind(
        name="splits",
        label=gettext_lazy("Reviewers of a problem that you wrote or reviewed differ"),
        roles=(Role.CONTRIBUTOR, Role.REVIEWER),
        find=find,
        tell=tell,
    )
)
