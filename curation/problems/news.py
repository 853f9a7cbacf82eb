"""What who writes a problem is told by e-mail: that it came back, was accepted or rejected."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.models import Event, Problem
from curation.problems.people.models import Credit
from curation.texts.workflow import Status, Step
from phybench.news.mails.kinds import Item, MailKind, register
from phybench.people.models import Role, User

TOLD = (Step.ACCEPT, Step.REJECT, Step.RETURN, Step.REOPEN)
MOST_OF_A_REASON = 500
"""Characters of it in an e-mail; the problem's page has all."""


def tell_writers(
    happened: Collection[tuple[int, int, int | None]],
) -> Iterator[tuple[int, str]]:
    """
    Return whom of those who write a problem something is told: all but who did it.

    Args:
        happened: a number for each thing, its problem, and who did it, if anybody.
    """
    problems = {problem for _pk, problem, _by in happened}
    # As `ProblemQuerySet.of` has it, the other way round.
    own = Problem.objects.filter(pk__in=problems, author__isnull=False)
    shared = Credit.objects.of_co_authors().filter(problem__in=problems)
    writers = {*own.values_list("pk", "author"), *shared.values_list("problem", "person")}
    for pk, problem, by in happened:
        for of, person in writers:
            if of == problem and person is not None and person != by:
                yield person, str(pk)


def find(since: datetime, now: datetime) -> Iterator[tuple[int, str]]:
    """Find what became of problems since, but for what their writers did themselves."""
    events = Event.objects.filter(at__gt=since, kind__in=TOLD)
    return tell_writers(list(events.values_list("pk", "problem", "actor")))


def tell(person: User, keys: Collection[str]) -> Iterator[Item]:
    own = Problem.objects.of(person)
    found = Event.objects.filter(pk__in=[int(key) for key in keys], problem__in=own)
    said = {
        Step.ACCEPT: _("“%(title)s” was accepted."),
        Step.REJECT: _("“%(title)s” was rejected."),
        Step.RETURN: _("“%(title)s” came back from review."),
        Step.REOPEN: _("An error was found in “%(title)s”: correct it."),
    }
    for one in found.select_related("problem").order_by("at", "pk"):
        if one.kind == Step.REJECT and one.problem.status != Status.REJECTED:
            continue  # It was reopened since, and that is told.
        text = said[Step(one.kind)] % {"title": one.problem.title}
        if one.from_status == Status.REJECTED:
            text = _("“%(title)s” was reopened: you can revise and submit it again.") % {
                "title": one.problem.title
            }
        if one.note:
            why = Truncator(one.note).chars(MOST_OF_A_REASON)
            text = _("%(sentence)s The reason: %(why)s") % {"sentence": text, "why": why}
        yield Item(text, one.problem.get_absolute_url())


DECISIONS = register(
    MailKind(
        name="decisions",
        label=gettext_lazy("A problem of yours comes back from review, is accepted or rejected"),
        roles=(Role.CONTRIBUTOR,),
        find=find,
        tell=tell,
    )
)
