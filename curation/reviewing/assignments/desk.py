"""What waits for reviewers, and what admins are to see to about who reviews what."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.wording import name_in
from curation.reviewing.assignments import permissions
from curation.reviewing.assignments.news import SOON
from curation.reviewing.assignments.permissions import list_takeable
from curation.reviewing.assignments.staffing import find_staffing
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.rounds.models import Assignment, ReviewRound
from curation.texts.stage_texts import say
from phybench.news.desks.lines import Line, SetupStep, Urgency
from phybench.news.desks.registry import (
    benchmark_lines,
    desk_lines,
    desk_sentences,
    setup_steps,
)
from phybench.people.models import Role, User

# --- Reviewers --------------------------------------------------------------------------------


@desk_lines(Role.REVIEWER)
def list_assigned(user: User) -> Iterator[Line]:
    """Tell which assigned reviews are overdue, due soon, and the rest."""
    now = timezone.now()
    held = user.assignments.open().select_related("round__revision__problem")
    overdue, soon = Q(due_at__lt=now), Q(due_at__gte=now, due_at__lt=now + SOON)
    found = list(held.filter(overdue).order_by("due_at", "pk"))
    if found:
        text = ngettext(
            "%(count)d review is overdue.", "%(count)d reviews are overdue.", len(found)
        )
        one = _("Your review of “%(title)s” is overdue.")
        yield _tell(found, Urgency.NOW, one, text)
    found = list(held.filter(soon).order_by("due_at", "pk"))
    if found:
        text = ngettext(
            "%(count)d review is due within three days.",
            "%(count)d reviews are due within three days.",
            len(found),
        )
        one = _("Your review of “%(title)s” is due within three days.")
        yield _tell(found, Urgency.SOON, one, text)
    found = list(held.exclude(overdue | soon).order_by("due_at", "pk"))
    if found:
        text = ngettext(
            "You are asked for %(count)d review.",
            "You are asked for %(count)d reviews.",
            len(found),
        )
        one = _("You are asked to review “%(title)s”.")
        yield _tell(found, Urgency.SOON, one, text)


def _tell(found: list[Assignment], urgency: Urgency, one: str, many: str) -> Line:
    """Tell of assignments, of which there are some: of one its title, of several their number."""
    first, count = found[0], len(found)
    is_late = urgency is Urgency.NOW
    text = name_in(one, first.round.revision.problem) if count == 1 else many % {"count": count}
    action = _("Review it") if count == 1 else _("Review the first")
    since = first.due_at if is_late else min(each.assigned_at for each in found)
    return Line(
        urgency, text, action, reverse("curation:review", args=[first.round_id]), count, since
    )


@desk_lines(Role.REVIEWER)
def list_new_rounds(user: User) -> Iterator[Line]:
    """Tell of rounds that somebody may take."""
    told = ("opened_at", "revision__problem__title", "revision__problem__language")
    found = list_takeable(user).select_related("revision__problem").only(*told)
    # In one query: to find them costs more than to list them.
    if rounds := list(found.order_by("opened_at", "pk")):
        first, count = rounds[0], len(rounds)
        text = ngettext(
            "%(count)d problem needs a reviewer.", "%(count)d problems need a reviewer.", count
        )
        said = text % {"count": count}
        if count == 1:
            said = name_in(_("“%(title)s” needs a reviewer."), first.revision.problem)
        action = _("Review it") if count == 1 else _("Review the first")
        address = reverse("curation:review", args=[first.pk])
        yield Line(Urgency.LATER, said, action, address, count, first.opened_at)


@desk_sentences(Role.REVIEWER)
def say_how_reviewing_goes(user: User) -> Iterator[str]:
    given = user.reviews.newest().count()
    text = ngettext("You have given %(count)d review.", "You have given %(count)d reviews.", given)
    yield text % {"count": given}


# --- Admins -----------------------------------------------------------------------------------


@desk_lines(Role.ADMIN)
def list_stuck(user: User) -> Iterator[Line]:
    """Tell of rounds for which there are too few reviewers."""
    if found := permissions.list_stuck(counts_invited=True):
        first, count = found[0], len(found)
        text = ngettext(
            "No one can finish %(count)d review.",
            "No one can finish %(count)d reviews.",
            count,
        )
        said = text % {"count": count}
        if count == 1:
            one = _("No one can finish this review: “%(title)s”.")
            said = name_in(one, first.revision.problem)
        # The page has the ways on: invite, a smaller plan, take it, decide.
        address = reverse("curation:decide", args=[first.pk])
        action = _("See what you can do") if count == 1 else _("See what you can do for the first")
        yield Line(Urgency.NOW, said, action, address, count, first.opened_at)


@desk_lines(Role.ADMIN)
def list_overdue(user: User) -> Iterator[Line]:
    found = Assignment.objects.overdue().order_by("due_at", "pk")
    of_benchmark = "round__revision__problem__benchmark__slug"
    yield from _tell_by_benchmark(
        found.values_list(of_benchmark, "due_at"),
        Urgency.NOW,
        lambda count: ngettext("%(count)d review is late.", "%(count)d reviews are late.", count),
        _("See who is late"),
        "?lacks=time",
    )


@desk_lines(Role.ADMIN)
def list_unassigned(user: User) -> Iterator[Line]:
    """Tell of rounds with a place for which nobody is asked."""
    found = ReviewRound.objects.open().with_free_places().order_by("opened_at", "pk")
    yield from _tell_by_benchmark(
        found.values_list("revision__problem__benchmark__slug", "opened_at"),
        Urgency.LATER,
        lambda count: ngettext(
            "%(count)d problem needs reviewers.", "%(count)d problems need reviewers.", count
        ),
        _("Ask reviewers"),
        "?lacks=some",
    )


def _tell_by_benchmark(
    found: Iterable[tuple[str, datetime]],
    urgency: Urgency,
    say: Callable[[int], str],
    action: str,
    narrowed: str,
) -> Iterator[Line]:
    """Tell how many each benchmark has: the page to which a line leads is of one."""
    times: dict[str, list[datetime]] = {}
    for slug, at in found:
        times.setdefault(slug, []).append(at)
    for slug, since in times.items():
        text = say(len(since)) % {"count": len(since)}
        address = reverse("curation:assignments", args=[slug]) + narrowed
        yield Line(urgency, text, action, address, len(since), since[0])


def tell_staffing(slug: str) -> Iterator[Line]:
    """Tell whether the members can finish the reviews of a benchmark, as it goes by now."""
    staffing = find_staffing(Benchmark.objects.get(slug=slug))
    urgency = Urgency.NOW if staffing.missing else Urgency.LATER
    address = reverse("curation:invite", args=[slug])
    yield Line(urgency, str(staffing), _("Invite members"), address, staffing.missing)


benchmark_lines.append(tell_staffing)


def choose_review(slug: str) -> SetupStep:
    settings = ReviewSettings.objects.select_related("pipeline").exclude(pipeline=None)
    chosen = settings.filter(benchmark__slug=slug).first()

    def tell() -> str:
        return say(str(chosen.pipeline)) if chosen else _("Not chosen yet.")

    return SetupStep(
        3,
        _("Choose how problems are reviewed"),
        tell,
        chosen is not None,
        _("Next: choose how problems are reviewed."),
        _("Choose the review"),
        reverse("curation:review_settings", args=[slug]),
        can_wait=True,
    )


setup_steps[3] = choose_review
