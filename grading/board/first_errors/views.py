"""Draw a sample of first errors from the models on a version's board."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.versions.models import BenchmarkVersion
from grading.board.first_errors import drawing
from grading.board.first_errors.forms import DrawForm
from grading.samples.labelling.actions import CannotDraw
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_first_error_sample(request: MemberRequest) -> HttpResponse:
    versions = list(
        BenchmarkVersion.objects.published().select_related("benchmark").order_by("-published_at")
    )
    asked = request.POST.get("version") or request.GET.get("version", "")
    version = next((one for one in versions if str(one.pk) == asked), next(iter(versions), None))
    candidates = drawing.list_candidates(version) if version else []
    numbers = [one.submission.pk for one in candidates]
    frame = drawing.find_frame(version, numbers) if version else None
    form = DrawForm(candidates, frame, request.POST if request.method == "POST" else None)
    if request.method == "POST" and version and form.is_valid():
        try:
            sample = drawing.draw(version=version, by=request.user, **form.cleaned_data)
        except CannotDraw as cannot:
            form.add_error(None, str(cannot))
        else:
            messages.success(
                request, _("Sample drawn. Label it with another person, or ask two others.")
            )
            return redirect(sample)
    context = {
        "versions": versions,
        "version": version,
        "form": form,
        "candidates": candidates,
        "before": version.first_error_samples.count() if version else 0,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/new_first_error_sample.html", context, status=status)
