"""What waits where reviews don't settle a round: for who decides it, and for its reviewers."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from django.db.models import Max, Min
from django.db.models.functions import Greatest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.wording import name_in
from curation.reviewing.decisions import permissions
from curation.reviewing.decisions.permissions import Deciders, list_splits
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import list_given
from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.people.models import Role, User
from phybench.people.permissions import is_admin


@desk_lines(Role.ADMIN)
def list_to_decide(user: User) -> Iterator[Line]:
    """Tell which splits wait for an admin, and which of all for somebody who is not there."""
    # An admin rejects by the list what all reject.
    rejected = set(ReviewRound.objects.rejected_by_all().values_list("pk", flat=True))
    own = _list_own(user)
    yield from _tell_own([one for one in own if one.pk not in rejected])
    all_reject = [one for one in own if one.pk in rejected]
    yield from _tell(
        all_reject,
        Urgency.SOON,
        _("All reviewers reject “%(title)s”. It is rejected once you say so."),
        lambda count: ngettext(
            "All reviewers reject %(count)d problem. It is rejected once you say so.",
            "All reviewers reject %(count)d problems. They are rejected once you say so.",
            count,
        ),
        _("Decide"),
        f"{all_reject[0].get_queue_url()}?show=splits&state=split" if all_reject else "",
    )
    splits = list_splits()
    deciders = Deciders(splits)
    if stuck := [one for one in splits if not deciders.find(one)]:
        slug = stuck[0].revision.problem.benchmark.slug
        yield from _tell(
            stuck,
            Urgency.NOW,
            _("No one may decide on “%(title)s”: all who could had a part in it. Invite one more."),
            lambda count: ngettext(
                "No one may decide on %(count)d problem: all who could had a part in it. "
                "Invite one more.",
                "No one may decide on %(count)d problems: all who could had a part in them. "
                "Invite one more.",
                count,
            ),
            _("Invite one more"),
            reverse("curation:invite", args=[slug]),
        )


@desk_lines(Role.REVIEWER)
def list_to_decide_or_change(user: User) -> Iterator[Line]:
    """Tell a reviewer what they decide in place of an admin, and where others differ from them."""
    if not is_admin(user):
        yield from _tell_own(_list_own(user))
    differing = list_given(user).split().exclude(pk__in=ReviewRound.objects.rejected_by_all())
    found = _fetch(differing)
    yield from _tell(
        found,
        Urgency.LATER,
        _(
            "Reviewers differ on “%(title)s”. Until someone else decides, you can change your "
            "review."
        ),
        lambda count: ngettext(
            "Reviewers differ on %(count)d problem that you reviewed. You can change yours.",
            "Reviewers differ on %(count)d problems that you reviewed. You can change yours.",
            count,
        ),
        _("Look at yours"),
        reverse("curation:review", args=[found[0].pk]) if found else "",
    )


def _list_own(user: User) -> list[ReviewRound]:
    """List the splits that `user` is to decide, the oldest first."""
    return _fetch(permissions.list_to_decide(user, ReviewRound.objects.split()))


def _fetch(rounds: ReviewRoundQuerySet) -> list[ReviewRound]:
    """Fetch what is told of rounds, which is little, the oldest first."""
    problem = "revision__problem"
    told = ("opened_at", f"{problem}__title", f"{problem}__language", f"{problem}__benchmark__slug")
    found = rounds.select_related(f"{problem}__benchmark").only(*told)
    return list(found.order_by("opened_at", "pk"))


def _tell_own(rounds: Sequence[ReviewRound]) -> Iterator[Line]:
    """Tell what somebody is to decide, round by round."""
    yield from _tell(
        rounds,
        Urgency.NOW,
        _("The reviews of “%(title)s” do not settle it: you decide."),
        lambda count: ngettext(
            "The reviews of %(count)d problem do not settle it: you decide.",
            "The reviews of %(count)d problems do not settle them: you decide.",
            count,
        ),
        _("Decide"),
        reverse("curation:decide", args=[rounds[0].pk]) if rounds else "",
    )


def _tell(
    rounds: Sequence[ReviewRound],
    urgency: Urgency,
    one: str,
    many: Callable[[int], str],
    action: str,
    address: str,
) -> Iterator[Line]:
    """Tell of rounds, if there are some: of one its title, of several their number."""
    if not rounds:
        return
    count = len(rounds)
    problem = rounds[0].revision.problem
    text = name_in(one, problem) if count == 1 else many(count) % {"count": count}
    yield Line(urgency, text, action, address, count, _find_since(rounds))


def _find_since(rounds: Sequence[ReviewRound]) -> datetime:
    """Return since when the first of these splits waits: what was said last in it made it one."""
    said = ReviewRound.objects.filter(pk__in=[one.pk for one in rounds]).annotate(
        said_at=Greatest(Max("reviews__submitted_at"), Max("solves__solved_at"))
    )
    since: datetime = said.aggregate(since=Min("said_at"))["since"]
    return since
