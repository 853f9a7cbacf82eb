"""What admins see to about people, and what is offered to somebody: to be named on a problem."""

from collections.abc import Iterator

from django.db.models import Count, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from curation.members.invitations.models import Invitation
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from phybench.news.desks.counting import count_line
from phybench.news.desks.lines import Line, SetupStep, Urgency
from phybench.news.desks.registry import desk_lines, setup_steps
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_requests(user: User) -> Iterator[Line]:
    return count_line(
        Request.objects.waiting(),
        "asked_at",
        Urgency.SOON,
        ngettext_lazy("%(count)d request to decide.", "%(count)d requests to decide.", "count"),
        _("Decide"),
        reverse("curation:members") + "?show=requests",
    )


@desk_lines(Role.ADMIN)
def list_without_roles(user: User) -> Iterator[Line]:
    return count_line(
        User.objects.filter(is_active=True, roles=[]),
        "joined_at",
        Urgency.LATER,
        ngettext_lazy(
            "%(count)d person has no role yet.", "%(count)d people have no role yet.", "count"
        ),
        _("Give roles"),
        reverse("curation:members"),
    )


@desk_lines(Role.CONTRIBUTOR)
def list_offers(user: User) -> Iterator[Line]:
    return count_line(
        user.credits.offered(),
        "given_at",
        Urgency.SOON,
        ngettext_lazy(
            "%(count)d credit on a problem is offered to you.",
            "%(count)d credits on problems are offered to you.",
            "count",
        ),
        _("Accept or decline"),
        reverse("profile") + "?tab=credits",
    )


def invite(slug: str) -> SetupStep:
    """Count who works here, of the whole site: roles are of no benchmark."""
    is_demo = Benchmark.objects.filter(slug=slug, is_demo=True).exists()
    open_now = Invitation.objects.addressed().open().filter(benchmark__slug=slug).order_by()
    # In one query: the bar of each page asks for its step.
    people = list(
        User.objects.filter(is_active=True, is_demo=is_demo)
        .exclude(roles=[])
        .annotate(
            invited=Subquery(open_now.values("benchmark").annotate(n=Count("pk")).values("n"))
        )
        .values_list("roles", "invited")
    )
    count = len(people)
    reviewers = sum(Role.REVIEWER in roles for roles, _invited in people)
    invited = people[0][1] or 0 if people else 0

    def say() -> str:
        state = ngettext("%(count)d member", "%(count)d members", count) % {"count": count}
        also = ngettext("%(count)d may review", "%(count)d may review", reviewers)
        said = [state, also % {"count": reviewers}]
        if invited:
            text = ngettext("%(count)d invited", "%(count)d invited", invited)
            said.append(text % {"count": invited})
        return _(", ").join(said)

    return SetupStep(
        2,
        _("Invite members"),
        say,
        count + invited > 1,
        _("Next: invite the people who will write and review problems."),
        _("Invite members"),
        reverse("curation:invite", args=[slug]),
        can_wait=True,
    )


setup_steps[2] = invite
