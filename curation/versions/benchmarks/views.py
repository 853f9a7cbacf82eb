"""Benchmarks, for admins: making one, and its settings."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from curation.versions.benchmarks import actions
from curation.versions.benchmarks.forms import BenchmarkForm, NewBenchmarkForm
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_benchmark(request: MemberRequest) -> HttpResponse:
    form = NewBenchmarkForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            made = actions.make(by=request.user, slug=form.cleaned_data["slug"], **form.read())
            messages.success(request, _("“%(name)s” is made.") % {"name": made})
            return redirect("curation:overview", made.slug)
    status = 400 if form.errors else 200
    return render(request, "curation/benchmark_form.html", {"form": form}, status=status)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def edit_benchmark(request: MemberRequest, slug: str) -> HttpResponse:
    found = get_object_or_404(Benchmark, slug=slug)
    form = BenchmarkForm(request.POST if request.method == "POST" else None, instance=found)
    if form.is_bound and form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            actions.change(benchmark=found, by=request.user, known=form.read_known(), **form.read())
            messages.success(request, _("Saved."))
            return redirect("curation:edit_benchmark", slug)
    found.refresh_from_db()
    context = {"form": form, "benchmark": found}
    status = 400 if form.errors else 200
    return render(request, "curation/benchmark_form.html", context, status=status)
