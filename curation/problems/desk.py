"""What waits for who writes problems, and how far each benchmark is on its way to its goal."""

from collections.abc import Callable, Iterator

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import (
    Event,
    Problem,
    ProblemQuerySet,
)
from curation.problems.wording import name_in
from curation.texts.workflow import Status, Step
from phybench.news.desks.lines import Line, SetupStep, Urgency
from phybench.news.desks.registry import desk_lines, desk_sentences, setup_steps
from phybench.people.models import Role, User


@desk_lines(Role.CONTRIBUTOR)
def list_to_write(user: User) -> Iterator[Line]:
    """Tell what came back to who writes it, and what they have not submitted."""
    own = Problem.objects.of(user)
    returned = own.filter(status=Status.RETURNED)
    yield from _tell(
        returned.filter(accepted_revision__isnull=False),
        Urgency.NOW,
        _("An error was found in “%(title)s”: correct it."),
        lambda count: ngettext(
            "Correct %(count)d problem in which an error was found.",
            "Correct %(count)d problems in which errors were found.",
            count,
        ),
        (_("Correct it"), _("Correct the first")),
    )
    events = Event.objects.filter(problem=OuterRef("pk"), to_status=Status.RETURNED)
    newest = events.order_by("-at", "-pk")
    back = returned.filter(accepted_revision=None).annotate(
        came_by=Subquery(newest.values("kind")[:1])
    )
    yield from _tell(
        back.filter(came_by=Step.REOPEN),
        Urgency.SOON,
        _("“%(title)s” was reopened: you can revise and submit it again."),
        lambda count: ngettext(
            "%(count)d problem was reopened: you can revise and submit it again.",
            "%(count)d problems were reopened: you can revise and submit them again.",
            count,
        ),
        (_("Revise it"), _("Revise the first")),
    )
    yield from _tell(
        back.filter(came_by=Step.WITHDRAW),
        Urgency.LATER,
        _("“%(title)s” was withdrawn from review."),
        lambda count: ngettext(
            "%(count)d problem was withdrawn from review.",
            "%(count)d problems were withdrawn from review.",
            count,
        ),
        (_("Revise it"), _("Revise the first")),
    )
    yield from _tell(
        back.filter(came_by=Step.RETURN),
        Urgency.SOON,
        _("“%(title)s” came back from review."),
        lambda count: ngettext(
            "%(count)d problem came back from review.",
            "%(count)d problems came back from review.",
            count,
        ),
        (_("Revise it"), _("Revise the first")),
    )
    yield from _tell(
        own.filter(status=Status.DRAFT),
        Urgency.LATER,
        _("Your draft “%(title)s” is not submitted yet."),
        lambda count: ngettext(
            "%(count)d draft is not submitted yet.",
            "%(count)d drafts are not submitted yet.",
            count,
        ),
        (_("Continue writing"), _("Continue the first")),
    )


def _tell(
    problems: ProblemQuerySet,
    urgency: Urgency,
    one: str,
    many: Callable[[int], str],
    actions: tuple[str, str],
) -> Iterator[Line]:
    """Tell of problems of one's own to be edited: of one its title, of several their number."""
    count = problems.count()
    found = problems.annotate(since=Max("events__at")).order_by("since", "pk").first()
    if found is None:
        return
    text = name_in(one, found) if count == 1 else many(count) % {"count": count}
    address = reverse("curation:edit", args=[found.pk])
    since = found.since  # type: ignore[attr-defined]  # annotated above
    yield Line(urgency, text, actions[count > 1], address, count, since)


@desk_lines(Role.CONTRIBUTOR)
def list_decided(user: User) -> Iterator[Line]:
    """Tell what was accepted or rejected since somebody last read their news."""
    news = Event.objects.filter(problem__in=Problem.objects.of(user), at__gt=user.news_read_at)
    yield from _tell_decided(
        news.filter(kind=Step.ACCEPT),
        _("“%(title)s” was accepted."),
        lambda count: ngettext(
            "%(count)d problem was accepted.", "%(count)d problems were accepted.", count
        ),
    )
    yield from _tell_decided(
        # What was reopened since came back, see above.
        news.filter(kind=Step.REJECT, problem__status=Status.REJECTED),
        _("“%(title)s” was rejected."),
        lambda count: ngettext(
            "%(count)d problem was rejected.", "%(count)d problems were rejected.", count
        ),
    )


def _tell_decided(news: QuerySet[Event], one: str, many: Callable[[int], str]) -> Iterator[Line]:
    count = news.values("problem").distinct().count()
    newest = news.select_related("problem__benchmark").order_by("-at", "-pk").first()
    if newest is None:
        return
    text = name_in(one, newest.problem) if count == 1 else many(count) % {"count": count}
    own = reverse("curation:problems", args=[newest.problem.benchmark.slug]) + "?show=mine"
    action = _("Read it") if count == 1 else _("See your problems")
    address = newest.problem.get_absolute_url() if count == 1 else own
    yield Line(Urgency.NEWS, text, action, address, count, newest.at)


@desk_sentences(Role.CONTRIBUTOR)
def say_how_writing_goes(user: User) -> Iterator[str]:
    counts = dict.fromkeys(Status, 0)
    stands = Problem.objects.of(user).order_by().values_list("status").annotate(Count("pk"))
    for status, count in stands:
        counts[Status(status)] = count
    if not any(counts.values()):
        yield _(
            "You have not written a problem yet. A problem is a statement and one symbolic answer; "
            "you see how both are read while you type."
        )
        return
    yield _(
        "Your problems: %(accepted)d accepted, %(in_review)d in review, %(rejected)d rejected."
    ) % {
        "accepted": counts[Status.ACCEPTED],
        "in_review": counts[Status.IN_REVIEW],
        "rejected": counts[Status.REJECTED],
    }


def get_problems(slug: str) -> SetupStep:
    goal = Benchmark.objects.values_list("goal", flat=True).get(slug=slug)
    rows = Problem.objects.filter(benchmark__slug=slug).order_by().values_list("status")
    counts = dict(rows.annotate(Count("pk")))
    accepted = counts.get(Status.ACCEPTED, 0)
    in_review = counts.get(Status.IN_REVIEW, 0)
    written = counts.get(Status.DRAFT, 0) + counts.get(Status.RETURNED, 0)
    missing = (goal or 1) - accepted
    said = [
        _("%(accepted)d of %(goal)d accepted") % {"accepted": accepted, "goal": goal}
        if goal and accepted <= goal
        else _("%(accepted)d accepted") % {"accepted": accepted},
        _("%(count)d in review") % {"count": in_review},
        _("%(count)d being written") % {"count": written},
    ]
    more = ngettext(
        "Next: get problems. %(count)d more until your goal.",
        "Next: get problems. %(count)d more until your goal.",
        missing,
    )
    return SetupStep(
        4,
        _("Get problems"),
        lambda: _(", ").join(said),
        missing <= 0,
        more % {"count": missing} if goal else _("Next: get problems. Write one, or import them."),
        _("Write a problem"),
        reverse("curation:new", args=[slug]),
        (_("Import problems"), reverse("curation:imports", args=[slug])),
    )


setup_steps[4] = get_problems
