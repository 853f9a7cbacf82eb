"""The versions of a stage that rounds go by."""

from typing import Any

from curation.reviewing.pipelines.models import (
    QuestionTerms,
    Stage,
    StageTerms,
    StageVersion,
    VersionQuestion,
)


def freeze(stage: Stage) -> StageVersion:
    """Return the version as which a stage stands now, made where it is new; the caller holds it."""
    newest = stage.versions.order_by("number").last()
    terms, questions = _describe_terms(stage), _describe_questions(stage)
    if newest and _describe_terms(newest) == terms:
        asked = [_describe(one, one.key) for one in newest.questions.order_by("place")]
        if asked == questions:
            return newest
    version = stage.versions.create(number=newest.number + 1 if newest else 1, **terms)
    VersionQuestion.objects.bulk_create(
        VersionQuestion(version=version, place=place, **question)
        for place, question in enumerate(questions, start=1)
    )
    return version


def _describe_terms(one: StageTerms) -> dict[str, Any]:
    return {field.name: getattr(one, field.name) for field in StageTerms._meta.fields}


def _describe_questions(stage: Stage) -> list[dict[str, Any]]:
    return [_describe(one, str(one.pk)) for one in stage.questions.order_by("place")]


def _describe(question: QuestionTerms, key: str) -> dict[str, Any]:
    return {
        "key": key,
        "text": question.text,
        "kind": question.kind,
        "is_required": question.is_required,
    }
