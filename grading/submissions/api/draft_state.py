"""How far a draft is, and what it would come to: the figures of its page."""

from datetime import datetime
from typing import Any, Literal, Self

from ninja import Schema

from grading.submissions.drafts import actions, preview, saying, submitting
from grading.submissions.drafts.models import Draft, DraftFile
from grading.submissions.drafts.pieces import hash_together
from grading.submissions.quota import Limit, measure_quota
from phybench.news.jobs.models import Job
from phybench.people.models import User


class FieldOut(Schema):
    path: str
    example: str
    filled: int


class PartOut(Schema):
    id: int
    name: str
    sha256: str
    size: int
    format: str
    state: Literal["choose_fields", "reading", "read", "broken"]
    consumed: int
    """Bytes that have been read."""
    rows: int
    fault: str
    """Why it can't be read to its end."""
    fields: list[FieldOut]
    field_map: dict[str, Any]
    lacks: list[str]
    """What no field is known to hold; empty where it is read: `id`, `response`, `model`."""
    left_out: dict[str, dict[str, int]]
    """How many rows are no answer, by model and reason."""


class ModelOut(Schema):
    """What a draft holds of one model."""

    model: str
    expected: int
    answered: int
    missing: int
    missing_ids: list[str]
    matched: int
    """Answers to problems of the version, those of the hidden part among them."""
    unboxed: int
    lacking: int
    samples: dict[int, int]
    """How many problems have so many answers."""
    hidden_expected: int
    hidden_answered: int
    unknown: int
    unknown_ids: list[str]
    elsewhere: int
    twice: int
    empty: int
    failed: int
    """Rows that say that asking the model failed."""
    failed_ids: list[str]
    """Problems without an answer for that reason."""
    unusable: int


class PreviewOut(Schema):
    version: int
    matched: int
    unnamed: int
    failed_only: dict[str, int]
    """How many calls failed of each model of which no other came to an end: it gets no score."""
    models: list[ModelOut]


class DraftBrief(Schema):
    id: int
    organisation: int
    benchmark: str
    version: int
    """That its answers are to: the newest when it was begun, or that it was moved to."""
    made_at: datetime
    graded_at: datetime | None

    @classmethod
    def of(cls, draft: Draft) -> Self:
        return cls(**_describe_brief(draft))


def _describe_brief(draft: Draft) -> dict[str, Any]:
    return {
        "id": draft.pk,
        "organisation": draft.organisation_id,
        "benchmark": draft.benchmark.slug,
        "version": draft.version.number,
        "made_at": draft.made_at,
        "graded_at": draft.graded_at,
    }


class NewerOut(Schema):
    """The version that was published since a draft was begun."""

    version: int
    texts: int
    """Problems of the draft's version."""
    same: int
    """Of these, those that ask the same; a draft can be moved where all do."""
    changed: list[str]
    gone: list[str]
    added: list[str]


class LimitOut(Schema):
    most: int
    left: int
    next_at: datetime | None

    @classmethod
    def of(cls, limit: Limit) -> Self:
        return cls(most=limit.most, left=limit.left, next_at=limit.next_at)


class QuotaOut(Schema):
    """What may still be graded within a day."""

    submissions: LimitOut
    samples: LimitOut


class JobOut(Schema):
    """How far the queuing of a draft's answers is that was asked for last."""

    id: int
    state: Literal["waiting", "done", "refused", "lost"]
    done: int
    of: int
    """Answers; 0 while that is not known."""
    detail: str
    """The outcome, in a sentence; empty while it is waiting."""


class DraftOut(DraftBrief):
    state: Literal["open", "queuing", "graded"]
    """`queuing`: its answers are being queued. It is open again where that is refused."""
    job: JobOut | None
    is_reading: bool
    obstacle: str
    """What is in the way of grading it; empty where nothing is."""
    newer: NewerOut | None
    parts: list[PartOut]
    preview: PreviewOut | None
    said: list[str]
    """The preview as its page says it, in sentences."""
    graded_before: int | None
    """The submission that the same files were graded as."""
    quota: QuotaOut | None
    submissions: list[int]
    """Of a graded draft."""


def describe_part(file: DraftFile) -> PartOut:
    return PartOut(
        id=file.pk,
        name=file.name,
        sha256=file.sha256,
        size=file.size,
        format=file.format,
        state=_find_state(file),
        consumed=file.consumed,
        rows=file.rows,
        fault=file.broken_off,
        fields=[
            FieldOut(path=path, example=example, filled=filled)
            for path, example, filled in file.fields
        ],
        field_map=file.field_map,
        lacks=list(file.map.find_faults()) if file.mapped_at is None else [],
        left_out=file.counts,
    )


def _find_state(file: DraftFile) -> Literal["choose_fields", "reading", "read", "broken"]:
    if file.mapped_at is None:
        return "choose_fields"
    if file.is_being_read:
        return "reading"
    return "broken" if file.broken_off else "read"


def describe_job(job: Job) -> JobOut:
    states: dict[str, Literal["done", "refused", "lost"]] = {
        Job.Outcome.DONE: "done",
        Job.Outcome.REFUSED: "refused",
        Job.Outcome.LOST: "lost",
    }
    return JobOut(
        id=job.pk,
        state=states.get(job.outcome, "waiting"),
        done=job.done,
        of=job.of,
        detail=job.said,
    )


def describe(draft: Draft, person: User) -> DraftOut:
    files = list(draft.files.with_runs())
    parts = [describe_part(one) for one in files]
    job = Job.objects.of(actions.GRADING_A_DRAFT, draft.pk).first()
    is_queuing = job is not None and job.ended_at is None
    if job is not None and job.outcome == Job.Outcome.DONE:
        # It may have ended since the draft was looked up.
        draft.refresh_from_db(fields=["graded_at"])
    if draft.graded_at or is_queuing:
        return DraftOut(
            **_describe_brief(draft),
            state="queuing" if is_queuing else "graded",
            job=describe_job(job) if job else None,
            is_reading=False,
            obstacle="",
            newer=None,
            parts=parts,
            preview=None,
            said=[],
            graded_before=None,
            quota=None,
            submissions=list(draft.submissions.values_list("submission", flat=True)),
        )
    looked = preview.look(draft, files)
    before = submitting.find_same(draft, hash_together(one.sha256 for one in files))
    quota = measure_quota(draft.organisation, person)
    newer = actions.find_newer(draft)
    return DraftOut(
        **_describe_brief(draft),
        state="open",
        job=describe_job(job) if job else None,
        is_reading=any(one.is_being_read for one in files),
        obstacle=preview.find_obstacle(files, looked),
        newer=_describe_newer(newer),
        parts=parts,
        preview=PreviewOut(
            version=looked.version.number,
            matched=looked.matched,
            unnamed=looked.unnamed,
            failed_only=dict(looked.failed_only),
            models=[_describe_model(one) for one in looked.models],
        ),
        said=saying.say(draft, files, looked, newer),
        graded_before=before.pk if before else None,
        quota=QuotaOut(
            submissions=LimitOut.of(quota.submissions), samples=LimitOut.of(quota.samples)
        ),
        submissions=[],
    )


def _describe_newer(found: actions.Newer | None) -> NewerOut | None:
    if found is None:
        return None
    values = {name: getattr(found, name) for name in set(NewerOut.model_fields) - {"version"}}
    return NewerOut(version=found.version.number, **values)


def _describe_model(one: preview.ModelPreview) -> ModelOut:
    names = set(ModelOut.model_fields) - {"samples"}
    return ModelOut(
        **{name: getattr(one, name) for name in names}, samples=dict(one.list_samples())
    )
