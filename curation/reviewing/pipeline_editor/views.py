"""How a benchmark is reviewed, for admins: its plan, those there are, and their stages."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import staffing
from curation.reviewing.pipeline_editor import actions as pipeline_editing
from curation.reviewing.pipeline_editor.forms import (
    NewPipelineForm,
    PipelineForm,
    QuestionFormSet,
    ReviewSettingsForm,
    StageForm,
    read_questions,
)
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.pipelines.shipped import find_settings
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.stage_texts import PLANS
from curation.texts.workflow import NotAllowedNow
from phybench.people.forms import form_says_why_not
from phybench.people.http import (
    MemberRequest,
    read_numbers,
    role_required,
    saying_why_not,
)
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def review_settings(request: MemberRequest, slug: str) -> HttpResponse:
    """Say how a benchmark is reviewed; what a new conflict rule forbids is given back."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    sent = request.POST if request.method == "POST" else None
    form = ReviewSettingsForm(sent, review=find_settings(benchmark))
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            count = assigning.set_review(benchmark=benchmark, by=request.user, **form.read())
            messages.success(request, _("Saved."))
            if count:
                text = ngettext(
                    "%(count)d open review was given back because of the same institution.",
                    "%(count)d open reviews were given back because of the same institution.",
                    count,
                )
                messages.warning(request, text % {"count": count})
            return redirect("curation:review_settings", slug)
    return _render_settings(request, benchmark, form, NewPipelineForm(auto_id="id_new_%s"))


def _render_settings(
    request: MemberRequest, benchmark: Benchmark, form: ReviewSettingsForm, new: NewPipelineForm
) -> HttpResponse:
    plans = staffing.list_plans(benchmark)
    if find_settings(benchmark).pipeline is None:
        form.fields["plan"].initial = staffing.choose_plan(plans).plan
    context = {
        "form": form,
        "benchmark": benchmark,
        "plans": [(one, form["plan"].value() == one.plan) for one in plans],
        "own_plans": [one for one in form["plan"] if one.data["value"] not in PLANS],
        "larger": staffing.find_larger(benchmark),
        "open_rounds": ReviewRound.objects.open().of_benchmark(benchmark.slug).count(),
        "pipelines": _list_pipelines(),
        "new": new,
    }
    status = 400 if form.errors or new.errors else 200
    return render(request, "curation/review_settings.html", context, status=status)


def _list_pipelines() -> Any:
    is_open = Q(stages__versions__rounds__isnull=False, stages__versions__rounds__closed_at=None)
    return Pipeline.objects.annotate(
        used_by=Count("uses", distinct=True),
        in_review=Count("stages__versions__rounds", filter=is_open, distinct=True),
    ).prefetch_related(Prefetch("stages", Stage.objects.order_by("place")))


def find_plan(data: QueryDict) -> Pipeline:
    """Return the plan that an address or a form names."""
    return get_object_or_404(Pipeline, pk__in=read_numbers(data.getlist("plan")))


def lead_to_plan(slug: str, pk: int) -> HttpResponse:
    there = reverse("curation:review_settings", args=[slug])
    return redirect(f"{there}?show=plan&plan={pk}")


@role_required(Role.ADMIN)
@require_POST
def copy_plan(request: MemberRequest, slug: str) -> HttpResponse:
    """Make a plan, from nothing or as a copy."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    form = NewPipelineForm(request.POST, auto_id="id_new_%s")
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow, "name"):
            made = pipeline_editing.make(**form.cleaned_data)
            messages.success(request, _("“%(name)s” is created.") % {"name": made})
            return lead_to_plan(slug, made.pk)
    settings = ReviewSettingsForm(review=find_settings(benchmark))
    return _render_settings(request, benchmark, settings, form)


@role_required(Role.ADMIN)
@require_GET
def show_plan(request: MemberRequest, slug: str) -> HttpResponse:
    """Show the stages of a plan, and what can be done to it."""
    found = find_plan(request.GET)
    return _render_plan(request, slug, found, PipelineForm(instance=found))


@role_required(Role.ADMIN)
@require_POST
def rename_plan(request: MemberRequest, slug: str) -> HttpResponse:
    found = find_plan(request.POST)
    form = PipelineForm(request.POST, instance=found)
    if not form.is_valid():
        found.refresh_from_db()
        return _render_plan(request, slug, found, form)
    name, known = form.cleaned_data["name"], request.POST.get("known", "")
    return _try(
        request,
        slug,
        found.pk,
        lambda: pipeline_editing.rename(pipeline=found, name=name, known=known),
        _("Renamed."),
    )


@role_required(Role.ADMIN)
@require_POST
def delete_plan(request: MemberRequest, slug: str) -> HttpResponse:
    found = find_plan(request.POST)
    known = request.POST.get("known", "")
    return _try(
        request,
        slug,
        found.pk,
        lambda: pipeline_editing.delete(pipeline=found, known=known),
        _("“%(name)s” is deleted.") % {"name": found},
    )


def _render_plan(
    request: MemberRequest, slug: str, found: Pipeline, form: PipelineForm
) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    context = {"benchmark": benchmark, "form": form, **describe(found)}
    return render(request, "curation/pipeline.html", context)


def _try(
    request: MemberRequest, slug: str, pk: int, change: Callable[[], None], done: str = ""
) -> HttpResponse:
    """Change a plan, say what came of it, and show it, if it is still there."""
    with saying_why_not(request, NotAllowedNow):
        change()
        if done:
            messages.success(request, done)
    if not Pipeline.objects.filter(pk=pk).exists():
        return redirect("curation:review_settings", slug)
    return lead_to_plan(slug, pk)


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
        said.append(_("Beside the answer they see what models answered."))
    if stage.reveals_others == "AFTER_OWN":
        said.append(_("They can read the other reviews after submitting their own."))
    else:
        said.append(_("They can read the other reviews once the stage is closed."))
    said.append(_("The author can read the reviews, without names, once the stage is closed."))
    if stage.due_days:
        said.append(
            ngettext("Due after %(count)d day.", "Due after %(count)d days.", stage.due_days)
            % {"count": stage.due_days}
        )
    said.append(
        _("Each new revision is reviewed here again.")
        if stage.asks_again
        else _("Once a problem has passed it, later revisions skip it.")
    )
    return said


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
    staffed = [(one, staffing.Members(one).staff(found.name, demands)) for one in used_by]
    went_through = any(stage.asked for stage in stages)
    return {
        "pipeline": found,
        "known": pipeline_editing.fingerprint(found),
        "stages": [(stage, say_stage(stage)) for stage in stages],
        "warnings": [(one, said) for one, said in staffed if not said.works],
        "used_by": used_by,
        "is_needed": bool(used_by) or went_through,
        "on_the_way": pipeline_editing.count_on_the_way(found),
    }


# --- Its stages -------------------------------------------------------------------------------


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_stage(request: MemberRequest, slug: str) -> HttpResponse:
    return _edit(request, slug, find_plan(request.GET), None)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def stage(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    found = get_object_or_404(Stage.objects.select_related("pipeline"), pk=pk)
    return _edit(request, slug, found.pipeline, found)


def _edit(
    request: MemberRequest, slug: str, pipeline: Pipeline, found: Stage | None
) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    sent = request.POST if request.method == "POST" else None
    # The name is what the page is headed by, whatever is typed into the form.
    heading = found.name if found else ""
    asked = found.questions.order_by("place") if found else ()
    form = StageForm(sent, instance=found)
    questions = QuestionFormSet(
        sent,
        prefix="questions",
        initial=[
            {"id": one.pk, "text": one.text, "kind": one.kind, "is_required": one.is_required}
            for one in asked
        ],
    )
    known = pipeline_editing.fingerprint(pipeline)
    if sent is not None:
        # What was typed stays, and so does what it was typed upon: a second try is refused too.
        known = sent.get("known", "")
        if form.is_valid() and questions.is_valid():
            with form_says_why_not(form, NotAllowedNow):
                pipeline_editing.save_stage(
                    pipeline=pipeline,
                    stage=found,
                    fields=form.cleaned_data,
                    questions=read_questions(questions),
                    known=known,
                )
                messages.success(
                    request, _("Saved. Problems that reach this stage from now on use it.")
                )
                return lead_to_plan(slug, pipeline.pk)
    context = {
        "benchmark": benchmark,
        "pipeline": pipeline,
        "stage": found,
        "heading": heading,
        "form": form,
        "questions": questions,
        "known": known,
        "open_rounds": ReviewRound.objects.open().filter(version__stage=found).count()
        if found
        else 0,
    }
    return render(request, "curation/stage.html", context)


@role_required(Role.ADMIN)
@require_POST
def move_stage(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    found = get_object_or_404(Stage, pk=pk)
    known = request.POST.get("known", "")
    return _try(
        request,
        slug,
        found.pipeline_id,
        lambda: pipeline_editing.move_stage(stage=found, known=known),
    )


@role_required(Role.ADMIN)
@require_POST
def delete_stage(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    found = get_object_or_404(Stage.objects.select_related("pipeline"), pk=pk)
    known = request.POST.get("known", "")
    return _try(
        request,
        slug,
        found.pipeline_id,
        lambda: pipeline_editing.delete_stage(stage=found, known=known),
        _("“%(name)s” is deleted.") % {"name": found.name},
    )
