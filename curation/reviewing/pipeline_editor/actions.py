"""
Change pipelines, their stages and questions.

Each change says which state it was made from, as a fingerprint of the whole pipeline: of two
admins at once, the second is told, and nothing of either is lost. Rounds go by the version of
their stage that stood when they opened, so no change here reaches one.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.forms.models import model_to_dict
from django.utils.translation import gettext as _

from curation.reviewing.pipelines.models import Pipeline, Question, Stage
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow

OUT_OF_THE_WAY = 10_000
"""Added to places while they are dealt anew, so that no two are ever the same."""


class ChangedMeanwhile(NotAllowedNow):
    """Somebody else changed the pipeline since the page was opened."""


def fingerprint(pipeline: Pipeline) -> str:
    """Return what tells whether anything of a pipeline was changed, whoever did and wherever."""
    stages = pipeline.stages.order_by("pk")
    questions = Question.objects.filter(stage__pipeline=pipeline).order_by("pk")
    state = [model_to_dict(one) for one in (pipeline, *stages, *questions)]
    return hashlib.sha256(json.dumps(state, sort_keys=True, default=str).encode()).hexdigest()[:32]


def _hold(pk: int, known: str) -> Pipeline:
    """
    Fetch a pipeline and hold it.

    Raises:
        ChangedMeanwhile: it is not as the admin knows it.
    """
    pipeline = Pipeline.objects.select_for_update().filter(pk=pk).first()
    if pipeline is None:
        raise ChangedMeanwhile(_("This plan was deleted in the meantime."))
    if fingerprint(pipeline) != known:
        raise ChangedMeanwhile(
            _(
                "Someone changed this plan after you opened the page. Your changes "
                "were not saved: look at the new version, then change it again."
            )
        )
    return pipeline


@transaction.atomic
def make(*, name: str, copied_from: Pipeline | None = None) -> Pipeline:
    """Make a pipeline, empty or with the stages and questions of another."""
    pipeline = Pipeline(name=name)
    _save_name(pipeline)
    for stage in copied_from.stages.order_by("place") if copied_from else ():
        questions = list(stage.questions.order_by("place"))
        # Without its key it is saved as another row.
        stage.pk, stage.pipeline = None, pipeline
        stage._state.adding = True
        stage.save()
        for question in questions:
            question.pk, question.stage = None, stage
            question._state.adding = True
            question.save()
    return pipeline


@transaction.atomic
def rename(*, pipeline: Pipeline, name: str, known: str) -> None:
    pipeline = _hold(pipeline.pk, known)
    pipeline.name = name
    _save_name(pipeline)


def _save_name(pipeline: Pipeline) -> None:
    """Save a pipeline whose name another may have taken since it was looked for."""
    try:
        with transaction.atomic():
            pipeline.save()
    except IntegrityError:
        raise NotAllowedNow(_("Another plan has this name.")) from None


@transaction.atomic
def delete(*, pipeline: Pipeline, known: str) -> None:
    """
    Delete a pipeline that nothing uses.

    Raises:
        NotAllowedNow: a benchmark goes by it, or a problem went through it.
    """
    pipeline = _hold(pipeline.pk, known)
    if pipeline.uses.exists():
        raise NotAllowedNow(_("A benchmark uses it. Choose another plan for that benchmark first."))
    if ReviewRound.objects.filter(version__stage__pipeline=pipeline).exists():
        raise NotAllowedNow(_("Problems have been reviewed by this plan, so it can’t be deleted."))
    pipeline.delete()


@transaction.atomic
def save_stage(
    *,
    pipeline: Pipeline,
    stage: Stage | None,
    fields: Mapping[str, Any],
    questions: Sequence[Mapping[str, Any]],
    known: str,
) -> Stage:
    """
    Save a stage with its questions, in their order; a new one comes last.

    Args:
        stage: None for a new one.
        questions: each with text, kind and is_required, and its `id` where it was there before.
    """
    pipeline = _hold(pipeline.pk, known)
    if stage is None:
        last = pipeline.stages.order_by("place").last()
        stage = Stage(pipeline=pipeline, place=last.place + 1 if last else 1)
    else:
        stage = Stage.objects.get(pk=stage.pk)
    for name, value in fields.items():
        setattr(stage, name, value)
    stage.save()
    kept = {question["id"] for question in questions if question.get("id")}
    if kept - set(stage.questions.values_list("pk", flat=True)):
        raise ChangedMeanwhile(_("A question was deleted: reload the page."))
    stage.questions.exclude(pk__in=kept).delete()
    stage.questions.update(place=F("place") + OUT_OF_THE_WAY)
    for place, question in enumerate(questions, start=1):
        given = {name: question[name] for name in ("text", "kind", "is_required")}
        stage.questions.update_or_create(
            pk=question.get("id") or None, defaults={**given, "place": place}
        )
    return stage


@transaction.atomic
def move_stage(*, stage: Stage, known: str) -> None:
    """
    Let a stage change places with the one before it; the first stays.

    Raises:
        NotAllowedNow: a problem is on its way through the pipeline; what it passed is known by
            place, so that it could be asked the same twice, or miss a stage.
    """
    pipeline = _hold(stage.pipeline_id, known)
    _check_nobody_is_on_the_way(pipeline)
    stages = list(pipeline.stages.order_by("place"))
    here = stages.index(stage)
    if not here:
        return
    one, other = stages[here], stages[here - 1]
    places = one.place, other.place
    for moved, place in ((one, places[0] + OUT_OF_THE_WAY), (other, places[0]), (one, places[1])):
        moved.place = place
        moved.save(update_fields=["place"])


def count_on_the_way(pipeline: Pipeline) -> int:
    """Count the problems that are in review by this pipeline now."""
    return ReviewRound.objects.open().filter(version__stage__pipeline=pipeline).count()


def _check_nobody_is_on_the_way(pipeline: Pipeline) -> None:
    if count_on_the_way(pipeline):
        raise NotAllowedNow(
            _(
                "Problems are in review by this plan, so the order of its stages "
                "can’t be changed. Copy it, change the copy, and choose the copy for "
                "the benchmark."
            )
        )


@transaction.atomic
def delete_stage(*, stage: Stage, known: str) -> None:
    """
    Delete a stage that no round cites.

    Raises:
        NotAllowedNow: a round cites it, or it is the last of a pipeline that benchmarks go by.
    """
    pipeline = _hold(stage.pipeline_id, known)
    # Who opens a round holds the pipeline too: it is there by now, or finds the stage gone.
    if stage.versions.exists():
        raise NotAllowedNow(
            _(
                "Problems have been reviewed in this stage, so it can’t be deleted. Copy the "
                "plan, delete the stage in the copy, and choose the copy for the benchmark."
            )
        )
    if pipeline.uses.exists() and pipeline.stages.count() == 1:
        raise NotAllowedNow(_("It is the only stage of a plan in use: add another one first."))
    stage.delete()
