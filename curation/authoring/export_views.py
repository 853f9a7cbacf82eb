"""Take problems out as a file, and read who took which."""

import tempfile

from django.contrib import messages
from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from curation.authoring.catalogue.views import list_problems
from curation.problems.benchmarks.models import Benchmark
from curation.texts.schema import KEY_FIELDS
from curation.versions.exchange import dataset
from curation.versions.exchange.exports import (
    CONTENT_TYPES,
    ENDINGS,
    choose,
    count_choosable,
    describe,
    record,
    sort_fields,
    write,
)
from curation.versions.exchange.forms import DatasetForm, ExportForm
from curation.versions.exchange.models import Download
from curation.versions.models import BenchmarkVersion
from curation.versions.permissions import can_export_benchmarks
from phybench.pages.listing import Column, Listing, ListPage, Tab
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@require_http_methods(["GET", "POST"])
def export(request: MemberRequest, slug: str) -> HttpResponseBase:
    """Offer the list, as it is filtered and sorted, as a file."""
    listing = list_problems(request, slug)
    found = listing.rows
    count, count_with_keys = count_choosable(found, request.user)
    exports_benchmarks = can_export_benchmarks(request.user)
    with_keys = exports_benchmarks or count_with_keys > 0
    if request.method == "POST":
        form = ExportForm(request.POST, with_keys=with_keys)
        if form.is_valid():
            fields = sort_fields(form.chosen_fields())
            file_format = Download.Format(form.cleaned_data["format"])
            taken = choose(found, request.user)
            record(
                taken,
                person=request.user,
                file_format=file_format,
                fields=fields,
                asked=(request.GET.urlencode() or f"show={listing.kept['show']}")[:1000],
            )
            response = StreamingHttpResponse(
                write(file_format, fields, describe(taken, fields)),
                content_type=CONTENT_TYPES[file_format],
            )
            name = f"problems-{timezone.now():%Y-%m-%d}.{ENDINGS[file_format]}"
            response["Content-Disposition"] = f'attachment; filename="{name}"'
            return response
    else:
        form = ExportForm(with_keys=with_keys)
    context = {
        "list_name": next(tab.label for tab in listing.tabs if tab.is_current),
        "form": form,
        "count": count,
        "with_keys": count_with_keys,
        "exports_benchmark": exports_benchmarks,
    }
    return render(request, "curation/export.html", context, status=400 if form.errors else 200)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def export_dataset(request: MemberRequest, slug: str) -> HttpResponseBase:
    """Offer a benchmark in the layout of Hugging Face, as a zip."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    if request.method == "POST":
        form = DatasetForm(request.POST)
        if form.is_valid():
            try:
                made = dataset.make(benchmark, person=request.user, **form.cleaned_data)
            except dataset.Empty:
                messages.warning(
                    request, _("No version of “%(name)s” is published yet.") % {"name": benchmark}
                )
                return redirect(request.get_full_path())
            file = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it
            dataset.write_zip(made, file)
            file.seek(0)
            return FileResponse(file, as_attachment=True, filename=f"{benchmark.slug}.zip")
    else:
        form = DatasetForm()
    version = BenchmarkVersion.objects.current().filter(benchmark=benchmark).first()
    context = {
        "benchmark": benchmark,
        "version": version,
        "form": form,
        "count": version.items.public().count() if version else 0,
    }
    return render(
        request, "curation/export_dataset.html", context, status=400 if form.errors else 200
    )


COLUMNS: list[Column[Download]] = [
    Column("at", gettext_lazy("When"), value=lambda one: one.at.isoformat()),
    Column(
        "person",
        gettext_lazy("Who"),
        value=lambda one: str(one.person) if one.person else _("a command"),
    ),
    Column("format", gettext_lazy("Format"), value=lambda one: one.format),
    Column("fields", value=lambda one: " ".join(one.fields)),
    Column("with_keys", value=lambda one: "yes" if one.has_keys else "no"),
    Column(
        "revisions",
        gettext_lazy("Problems"),
        value=lambda one: " ".join(map(str, one.revisions)),
        is_number=True,
    ),
    Column(
        "revisions_with_keys",
        gettext_lazy("With answers"),
        value=lambda one: " ".join(map(str, one.revisions_with_keys)),
        is_number=True,
    ),
    Column("key_fields", gettext_lazy("Answer fields")),
    Column("asked", gettext_lazy("Asked for")),
]


def _list_downloads(request: MemberRequest) -> Listing[Download]:
    found = Download.objects.select_related("person").order_by("-at", "-pk")
    show = "keys" if request.GET.get("show") == "keys" else ""
    if show:
        found = found.filter(has_keys=True)
    tabs = [
        Tab("?of=downloads", _("all"), not show),
        Tab("?of=downloads&show=keys", _("with answers or solutions"), bool(show)),
    ]
    return Listing(
        request,
        found,
        COLUMNS,
        tabs=tabs,
        a_page=50,
        keeps={"of": "downloads"},
        more=lambda page: {
            "rows": [(one, [name for name in one.fields if name in KEY_FIELDS]) for one in page]
        },
    )


downloads = role_required(Role.ADMIN)(
    ListPage(_list_downloads, "curation/downloads.html", file="downloads")
)
"""Who took out what; the file has the numbers of the texts."""
