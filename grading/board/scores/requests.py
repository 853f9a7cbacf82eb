"""Which version a board is of, and which of its problems, by what an address asks for."""

import re
from collections.abc import Mapping

from django.http import Http404
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from curation.versions.models import BenchmarkVersion
from grading.board.scores.collecting import has_complete_row
from grading.board.scores.scope import BEFORE_VERSIONS, Scope


def find_scope(benchmark: Benchmark, *, is_as_published: bool = False) -> Scope:
    """
    Return what a benchmark's board is of where nothing else is asked for.

    That is the newest version with a complete row, so that no new one empties the first page; while
    no version has any, the newest.
    """
    published = BenchmarkVersion.objects.published().filter(benchmark=benchmark)
    versions = list(published.select_related("benchmark").order_by("-number"))
    if not versions:
        return Scope(benchmark)
    newest = Scope.of(versions[0], is_as_published=is_as_published)
    if len(versions) == 1 or has_complete_row(newest):
        return newest
    older = (Scope.of(one, is_as_published=is_as_published) for one in versions[1:])
    return next(filter(has_complete_row, older), newest)


def read_scope(benchmark: Benchmark, query: Mapping[str, str]) -> Scope:
    """
    Return what an address asks for; a domain or difficulty that is not understood is ignored.

    Raises:
        Http404: there is no such version: the figures of another one would be taken for its own.
    """
    asked = query.get("version", "")
    if asked == BEFORE_VERSIONS:
        return Scope(benchmark)
    is_as_published = query.get("as") == "published"
    if asked:
        versions = BenchmarkVersion.objects.published().filter(benchmark=benchmark)
        number = int(asked) if re.fullmatch("[0-9]{1,6}", asked) else -1
        found = versions.select_related("benchmark").filter(number=number).first()
        if found is None:
            raise Http404(_("Version not found."))
        scope = Scope.of(found, is_as_published=is_as_published)
    else:
        scope = find_scope(benchmark, is_as_published=is_as_published)
    domain, difficulty = query.get("domain", ""), query.get("difficulty", "")
    return scope.narrow(
        domain=domain if domain in PhysicsField.values else "",
        difficulty=difficulty if difficulty in Difficulty.values else "",
    )
