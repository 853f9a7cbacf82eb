"""The benchmark that a command is told to work on."""

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from phybench.pages.excerpt import show


def find_benchmark(named: str) -> Benchmark:
    """
    Return a benchmark by its name, or by its slug, which is the end of its address.

    Raises:
        CommandError: there is none; the message names those that there are.
    """
    if found := Benchmark.objects.called(named):
        return found
    there = ", ".join(f"{one.name} ({one.slug})" for one in Benchmark.objects.all()) or _("none")
    raise CommandError(
        _("There is no benchmark “%(name)s”. There are: %(names)s.")
        % {"name": show(named), "names": show(there)}
    )
