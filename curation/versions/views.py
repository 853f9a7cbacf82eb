"""Pages of published versions: read, cite, download."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.citing import write_bibtex
from curation.versions.models import BenchmarkVersion, VersionItem
from curation.versions.permissions import can_download, list_versions, makes_versions
from curation.versions.summary import count_domains, count_parts, list_errata
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Column, Listing, by

COLUMNS: list[Column[VersionItem]] = [
    Column("id", _("Problem"), by("problem"), lambda one: one.identifier),
    Column("domain", _("Domain"), by("problem__domain", "problem"), lambda one: one.problem.domain),
    Column(
        "part",
        _("Part"),
        by("is_hidden", "problem"),
        lambda one: "hidden" if one.is_hidden else "public",
    ),
    Column("revision", _("Revision"), value=lambda one: one.revision.number, is_number=True),
    Column("withdrawn", value=lambda one: "yes" if one.is_withdrawn else "no"),
    Column("asked_sha256", value=lambda one: one.asked_sha256),
    Column("key_sha256", value=lambda one: one.key_sha256),
]


@for_everybody
def versions(request: HttpRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    found = list_versions(request.user).filter(benchmark=benchmark)
    context = {
        "benchmark": benchmark,
        "versions": count_parts(found),
        "makes": makes_versions(request.user),
        "can_fill": benchmark.problems.accepted().exists(),
        "has_draft": found.filter(published_at=None).exists(),
    }
    return render(request, "curation/versions.html", context)


def find(request: HttpRequest, slug: str, number: int) -> BenchmarkVersion:
    """Return a version that the reader may see, or answer that there is none."""
    found = list_versions(request.user)
    return get_object_or_404(found, benchmark__slug=slug, number=number)


def _list_items(request: HttpRequest, found: BenchmarkVersion) -> Listing[VersionItem]:
    return Listing(request, found.items.with_all(), COLUMNS, default="id", a_page=50)


def describe(request: HttpRequest, found: BenchmarkVersion) -> dict[str, Any]:
    """Return what the pages of a version and of a draft have in common."""
    return {
        **_list_items(request, found).describe(),
        "version": found,
        "benchmark": found.benchmark,
        "counts": count_parts(BenchmarkVersion.objects.filter(pk=found.pk)).get(),
        "domains": count_domains(found),
    }


@for_everybody
def version(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = find(request, slug, number)
    if not found.is_published:
        return redirect(f"{found.get_absolute_url()}?do=edit")
    newer = BenchmarkVersion.objects.published().filter(benchmark=found.benchmark_id)
    context = {
        **describe(request, found),
        "superseded_by": newer.filter(number__gt=number)
        .select_related("benchmark")
        .order_by("-number")
        .first(),
        "errata": list_errata(found),
        "withdrawn": found.items.filter(withdrawal__isnull=False).with_all(),
        "bibtex": write_bibtex(found),
        "makes": makes_versions(request.user),
        "can_download": can_download(request.user),
    }
    return render(request, "curation/version.html", context)


@for_everybody
def version_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = find(request, slug, number)
    return _list_items(request, found).write(f"{slug}-version-{number}")
