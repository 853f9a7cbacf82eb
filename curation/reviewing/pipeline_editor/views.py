"""Pipelines, for admins: which there are, what each is, who goes by it."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.assignments.staffing import Members
from curation.reviewing.pipeline_editor import actions as pipeline_editing
from curation.reviewing.pipeline_editor.forms import NewPipelineForm, PipelineForm
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


def say_stage(stage: Stage) -> list[str]:
    """Say who sees what when in a stage, and what passing it is worth; a sentence each."""
    needed = stage.count_needed()
    reviews = ngettext("%(count)d review.", "%(count)d reviews.", needed) % {"count": needed}
    if stage.solves_needed:
        reviews += " " + ngettext(
            "%(count)d blind solve must agree.",
            "%(count)d blind solves must agree.",
            stage.solves_needed,
        ) % {"count": stage.solves_needed}
    said = [reviews]
    if stage.is_blind:
        said.append(_("Reviewers see the statement; answer and solution once they have solved it."))
    elif stage.shows_key:
        said.append(_("Reviewers see statement, answer and solution from the start."))
    else:
        said.append(_("Reviewers see the statement alone, and can still solve it blind later."))
    if stage.shows_answers:
        said.append(_("With the answer they see models’ answers."))
    if stage.reveals_others == "AFTER_OWN":
        said.append(_("They can read the other reviews after submitting their own."))
    else:
        said.append(_("They can read the other reviews once the round is closed."))
    said.append(_("The author can read the reviews, without names, once the round is closed."))
    if stage.due_days:
        said.append(
            ngettext("Due after %(count)d day.", "Due after %(count)d days.", stage.due_days)
            % {"count": stage.due_days}
        )
    said.append(
        _("A new revision needs it again.")
        if stage.asks_again
        else _("Once passed, it stays passed for later revisions.")
    )
    return said


@role_required(Role.ADMIN)
@require_GET
def pipelines(request: MemberRequest) -> HttpResponse:
    is_open = Q(stages__versions__rounds__isnull=False, stages__versions__rounds__closed_at=None)
    found = Pipeline.objects.annotate(
        used_by=Count("uses", distinct=True),
        in_review=Count("stages__versions__rounds", filter=is_open, distinct=True),
    ).prefetch_related(Prefetch("stages", Stage.objects.order_by("place")))
    return render(request, "curation/pipelines.html", {"pipelines": found})


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_pipeline(request: MemberRequest) -> HttpResponse:
    """Make a pipeline, from nothing or as a copy."""
    form = NewPipelineForm(
        request.POST if request.method == "POST" else None,
        initial={"copied_from": request.GET.get("copy")},
    )
    if form.is_valid():
        try:
            made = pipeline_editing.make(**form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error("name", str(refusal))
        else:
            messages.success(request, _("“%(name)s” is created.") % {"name": made})
            return redirect("curation:pipeline", made.pk)
    return render(request, "curation/new_pipeline.html", {"form": form})


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def pipeline(request: MemberRequest, pk: int) -> HttpResponse:
    """Show a pipeline as it is; take another name."""
    found = get_object_or_404(Pipeline, pk=pk)
    form = PipelineForm(request.POST if request.method == "POST" else None, instance=found)
    if form.is_valid():
        name = form.cleaned_data["name"]
        known = request.POST.get("known", "")
        return _try(
            request,
            pk,
            lambda: pipeline_editing.rename(pipeline=found, name=name, known=known),
            _("Renamed."),
        )
    found.refresh_from_db()
    return render(request, "curation/pipeline.html", {**describe(found), "form": form})


def describe(found: Pipeline) -> dict[str, Any]:
    stages = list(
        found.stages.order_by("place")
        .prefetch_related("questions")
        .annotate(
            asked=Count("versions__rounds", distinct=True),
            open_now=Count(
                "versions__rounds",
                filter=Q(versions__rounds__closed_at=None),
                distinct=True,
            ),
        )
    )
    used_by = list(Benchmark.objects.filter(review_settings__pipeline=found))
    demands = [stage.demand for stage in stages]
    staffing = [(one, Members(one).staff(found.name, demands)) for one in used_by]
    went_through = any(stage.asked for stage in stages)
    return {
        "pipeline": found,
        "known": pipeline_editing.fingerprint(found),
        "stages": [(stage, say_stage(stage)) for stage in stages],
        "warnings": [(one, said) for one, said in staffing if not said.works],
        "used_by": used_by,
        "is_needed": bool(used_by) or went_through,
        "on_the_way": pipeline_editing.count_on_the_way(found),
    }


def _try(request: MemberRequest, pk: int, change: Any, done: str) -> HttpResponse:
    """Change something, say what came of it, and show the pipeline."""
    try:
        change()
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, done)
    if not Pipeline.objects.filter(pk=pk).exists():
        return redirect("curation:pipelines")
    return redirect("curation:pipeline", pk)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def delete_pipeline(request: MemberRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Pipeline, pk=pk)
    if request.method == "POST":
        known = request.POST.get("known", "")
        return _try(
            request,
            pk,
            lambda: pipeline_editing.delete(pipeline=found, known=known),
            _("“%(name)s” is deleted.") % {"name": found},
        )
    context = {
        "pipeline": found,
        "known": pipeline_editing.fingerprint(found),
        "title": _("Delete the pipeline “%(name)s”?") % {"name": found},
        "text": _("This also deletes its stages and questions. It can’t be undone."),
        "button": _("Delete the pipeline"),
    }
    return render(request, "curation/pipeline_confirm.html", context)
