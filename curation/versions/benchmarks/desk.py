"""How far the benchmarks are from their goals, for those who work on them."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.benchmarks.progress import measure
from phybench.news.desks.lines import Line, Link, Progress, Share, Urgency
from phybench.news.desks.registry import desk_lines, desk_links, desk_progress
from phybench.people.models import Role, User


@desk_lines(Role.ADMIN)
def list_to_create(user: User) -> Iterator[Line]:
    """Lead an admin of an empty site to its first benchmark: nothing is written without one."""
    if not Benchmark.objects.filter(is_demo=user.is_demo).exists():
        yield Line(
            Urgency.LATER,
            _("There is no benchmark yet. Problems are written for one."),
            _("Create a benchmark"),
            reverse("curation:new_benchmark"),
        )


@desk_links(Role.ADMIN, is_first=True)
def list_places(user: User) -> Iterator[Link]:
    yield Link(_("Benchmarks"), reverse("curation:benchmarks"))


@desk_progress(Role.ADMIN, Role.CONTRIBUTOR)
def list_progress(user: User) -> Iterator[Progress]:
    """Tell how far each benchmark with a goal is, in all and by domain."""
    with_goal = Benchmark.objects.filter(goal__isnull=False, is_demo=user.is_demo)
    benchmarks = list(with_goal.prefetch_related("domain_goals"))
    measured = measure(benchmarks)
    for one in benchmarks:
        found = measured[one.pk]
        yield Progress(
            Share(one.name, found.total.accepted, one.goal),
            one.get_absolute_url(),
            tuple(
                Share(domain.label, domain.accepted, domain.goal)
                for domain in found.domains
                if domain.accepted or domain.goal
            ),
            one.deadline,
        )
