"""The stages of a plan, for admins: what each asks for, and in which order."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.pipeline_editor import actions as pipeline_editing
from curation.reviewing.pipeline_editor.forms import QuestionFormSet, StageForm, read_questions
from curation.reviewing.pipeline_editor.views import find_plan, lead_to_plan
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def new_stage(request: MemberRequest, slug: str) -> HttpResponse:
    return _edit(request, slug, find_plan(request.GET.get("plan")), None)


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
            try:
                pipeline_editing.save_stage(
                    pipeline=pipeline,
                    stage=found,
                    fields=form.cleaned_data,
                    questions=read_questions(questions),
                    known=known,
                )
            except NotAllowedNow as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("Saved. New rounds use it."))
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
    try:
        pipeline_editing.move_stage(
            stage=found, up=request.POST.get("to") == "up", known=request.POST.get("known", "")
        )
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    return lead_to_plan(slug, found.pipeline_id)


@role_required(Role.ADMIN)
@require_POST
def delete_stage(request: MemberRequest, slug: str, pk: int) -> HttpResponse:
    found = get_object_or_404(Stage.objects.select_related("pipeline"), pk=pk)
    try:
        pipeline_editing.delete_stage(stage=found, known=request.POST.get("known", ""))
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
    return lead_to_plan(slug, found.pipeline_id)
