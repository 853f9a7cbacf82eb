"""What an empty site needs first, and of a benchmark's steps the first and the last but one."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from phybench.news.desks.lines import Line, SetupStep, Urgency
from phybench.news.desks.registry import desk_lines, setup_steps
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


def create(slug: str) -> SetupStep:
    def name() -> str:
        return Benchmark.objects.values_list("name", flat=True).get(slug=slug)

    return SetupStep(1, _("Create a benchmark"), name, True, "", "", "")


setup_steps[1] = create


def publish(slug: str) -> SetupStep:
    published = BenchmarkVersion.objects.published().filter(benchmark__slug=slug).exists()

    def count() -> str:
        accepted = Problem.objects.accepted().filter(benchmark__slug=slug).count()
        text = ngettext(
            "%(count)d accepted problem can be in it.",
            "%(count)d accepted problems can be in it.",
            accepted,
        )
        return _("Published.") if published else text % {"count": accepted}

    return SetupStep(
        5,
        _("Publish version 1"),
        count,
        published,
        _("Next: publish version 1. Models answer what is in it."),
        _("Choose what is in it"),
        reverse("curation:versions", args=[slug]),
    )


setup_steps[5] = publish
