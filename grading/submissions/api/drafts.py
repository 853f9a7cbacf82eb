"""Drafts: begin one, send its parts, read what it comes to, have it graded."""

import hashlib
from dataclasses import fields as list_dataclass_fields
from typing import Any, Literal

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Header, Query, Router, Schema, Status
from pydantic import Field, ValidationError

from curation.versions.models import BenchmarkVersion
from curation.versions.summary import list_open
from grading.answers.permissions import list_submissions
from grading.solvers.actions import find_or_make_own
from grading.solvers.models import Organisation
from grading.solvers.permissions import list_hand_in_for
from grading.submissions.api.draft_state import (
    DraftBrief,
    DraftOut,
    JobOut,
    PartOut,
    describe,
    describe_job,
    describe_part,
)
from grading.submissions.api.submissions import (
    NoticeOut,
    SubmissionBrief,
    describe_brief,
    describe_notice,
)
from grading.submissions.drafts import actions, permissions, submitting
from grading.submissions.drafts.models import Draft, DraftFile
from grading.submissions.notices import actions as notices
from phybench.files.answer_files.fields import FieldMap
from phybench.files.answer_files.values import LONGEST_NAME
from phybench.files.json_list import storable
from phybench.pages.api.bodies import spool
from phybench.pages.api.door import READ, SUBMIT, ApiRequest
from phybench.pages.api.once import DESCRIBED, once
from phybench.pages.api.refused import Refusal
from phybench.pages.api.texts import Text

router = Router(tags=["Drafts"])
RAW: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
LONGEST_PATH = 200


class NewDraft(Schema):
    benchmark: str = Field(pattern=r"^[-a-zA-Z0-9_]{1,100}$")
    organisation: int | None = None
    """Only needed by who is of several; who is of none gets one, as on the page."""


class Fields(Schema):
    """Which field of a part holds what: paths, as the draft lists them."""

    model_config = {"extra": "forbid"}

    id: Text = Field("", max_length=LONGEST_PATH)
    ids: Literal["", "number", "statement", "order"] = ""
    response: Text = Field("", max_length=LONGEST_PATH)
    otherwise: Text = Field("", max_length=LONGEST_PATH)
    sample: Text = Field("", max_length=LONGEST_PATH)
    samples_from: int = Field(0, ge=0, le=1)
    is_in_order: bool = False
    model: Text = Field("", max_length=LONGEST_PATH)
    model_name: Text = Field("", max_length=LONGEST_NAME)
    finish_reason: Text = Field("", max_length=LONGEST_PATH)
    tokens: Text = Field("", max_length=LONGEST_PATH)
    latency: Text = Field("", max_length=LONGEST_PATH)


# What a map can say is said once, in `FieldMap`.
assert {one.name for one in list_dataclass_fields(FieldMap)} == set(Fields.model_fields)


class Move(Schema):
    version: int
    """The newest: refused where a text of the draft's version is another there."""


class Grade(Schema):
    version: int | None = None
    """That its preview was of: refused where the draft was moved to another meanwhile."""
    is_named: bool = False
    """Whether these are the ones to rank, whatever is graded later."""
    again: bool = False
    """Whether they are graded although the same files were before."""
    mail: bool = False
    """Whether you get an e-mail once all are graded."""
    webhook: Text = Field("", max_length=500)
    """Where to post that all are graded."""


class Graded(Schema):
    draft: str
    """Where to ask how far it is."""
    job: JobOut | None
    """Null where the draft was graded before."""
    submissions: list[SubmissionBrief]
    """Of a draft that was graded before."""
    notices: list[NoticeOut]


def get_draft(request: ApiRequest, pk: int, *, is_open: bool = True) -> Draft:
    found = permissions.list_drafts(request.auth.person)
    return get_object_or_404(found.open() if is_open else found, pk=pk)


def get_part(request: ApiRequest, pk: int, number: int) -> DraftFile:
    files = DraftFile.objects.select_related(
        "draft__organisation", "draft__benchmark", "draft__version__benchmark"
    )
    return get_object_or_404(files, draft=get_draft(request, pk), pk=number)


@router.get("/drafts", response=list[DraftBrief], auth=READ, url_name="drafts")
def list_drafts(request: ApiRequest) -> list[DraftBrief]:
    """List the drafts of your teams that are not graded yet, newest first."""
    found = permissions.list_drafts(request.auth.person).open().order_by("-pk")
    return [DraftBrief.of(one) for one in found]


@router.post(
    "/drafts",
    response={201: DraftBrief},
    auth=SUBMIT,
    openapi_extra=DESCRIBED,
    url_name="drafts",
)
def begin(request: ApiRequest, sent: NewDraft) -> Any:
    """Begin an empty draft of answers to the newest version of the benchmark; it keeps that one."""

    def do() -> Status[DraftBrief]:
        benchmark = get_object_or_404(list_open(), slug=sent.benchmark)
        draft = actions.begin(
            organisation=_find_organisation(request, sent.organisation),
            benchmark=benchmark,
            by=request.auth.person,
        )
        return Status(201, DraftBrief.of(draft))

    return once(request, do)


def _find_organisation(request: ApiRequest, pk: int | None) -> Organisation:
    theirs = list_hand_in_for(request.auth.person)
    if pk is not None:
        return get_object_or_404(theirs, pk=pk)
    if len(theirs) > 1:
        raise Refusal(422, "invalid", _("Say which team submits the answers."))
    return find_or_make_own(request.auth.person)


@router.get("/drafts/{int:pk}", response=DraftOut, auth=READ, url_name="draft")
def show(request: ApiRequest, pk: int) -> DraftOut:
    """Give its parts, what would be graded, and what prevents grading."""
    return describe(get_draft(request, pk, is_open=False), request.auth.person)


@router.put("/drafts/{int:pk}", response=DraftOut, auth=SUBMIT, url_name="draft")
def move(request: ApiRequest, pk: int, sent: Move) -> DraftOut:
    """Move a draft to a newer version with the same texts; it keeps its version otherwise."""
    draft = get_draft(request, pk)
    version = _find_version(draft, sent.version)
    assert version is not None
    actions.move(draft=draft, to=version, by=request.auth.person)
    return describe(get_draft(request, pk), request.auth.person)


@router.delete("/drafts/{int:pk}", response={204: None}, auth=SUBMIT, url_name="draft")
def discard(request: ApiRequest, pk: int) -> Status[None]:
    """Delete a draft with its parts."""
    actions.discard(draft=get_draft(request, pk), by=request.auth.person)
    return Status(204, None)


@router.post(
    "/drafts/{int:pk}/parts",
    response={201: PartOut},
    auth=SUBMIT,
    openapi_extra={**RAW, **DESCRIBED},
    url_name="parts",
)
def add_part(
    request: ApiRequest,
    pk: int,
    name: Text = Query("answers", max_length=200),
    model: Text = Query("", max_length=LONGEST_NAME),
    field_map: str = Header("", alias="X-Field-Map", max_length=5000),
) -> Any:
    """
    Send a file as the body, as the harness wrote it.

    JSON, JSON lines, CSV or a log of Inspect, also packed with gzip, or as a zip of its folder.
    `model` names who wrote the rows that name no model. `X-Field-Map` says which field holds what,
    as JSON; without it, that is guessed.
    """
    draft = get_draft(request, pk)
    chosen = _read_map(field_map, model) if field_map else None
    with spool(request) as (file, sha256):

        def do() -> Status[PartOut]:
            made = actions.add_file(
                draft=draft,
                file=file,
                name=storable(name),
                by=request.auth.person,
                field_map=chosen,
                model_name=model,
            )
            return Status(201, describe_part(made))

        # The same bytes read by other fields are another request.
        told = hashlib.sha256(f"{sha256} {field_map}".encode()).hexdigest()
        return once(request, do, sha256=told)


def _read_map(written: str, model: str) -> FieldMap:
    try:
        sent = Fields.model_validate_json(written)
    except ValidationError as why:
        said = "; ".join(f"{one['loc']}: {one['msg']}" for one in why.errors()[:3])
        raise Refusal(422, "invalid", f"X-Field-Map: {said}") from None
    sent.model_name = model or sent.model_name
    return _check_map(sent)


def _check_map(sent: Fields) -> FieldMap:
    field_map = FieldMap(**sent.model_dump())
    if faults := field_map.find_faults():
        raise Refusal(422, "invalid", " ".join(faults.values()))
    return field_map


@router.put("/drafts/{int:pk}/parts/{int:number}", response=PartOut, auth=SUBMIT, url_name="part")
def choose_fields(request: ApiRequest, pk: int, number: int, sent: Fields) -> PartOut:
    """Say which fields of a part hold what."""
    file = get_part(request, pk, number)
    actions.choose_fields(file=file, field_map=_check_map(sent), by=request.auth.person)
    file.refresh_from_db()
    return describe_part(file)


@router.delete(
    "/drafts/{int:pk}/parts/{int:number}", response={204: None}, auth=SUBMIT, url_name="part"
)
def remove_part(request: ApiRequest, pk: int, number: int) -> Status[None]:
    """Remove a part from its draft."""
    actions.remove_file(file=get_part(request, pk, number), by=request.auth.person)
    return Status(204, None)


@router.post(
    "/drafts/{int:pk}/grade",
    response={202: Graded},
    auth=SUBMIT,
    openapi_extra=DESCRIBED,
    url_name="grade_draft",
)
def grade(request: ApiRequest, pk: int, sent: Grade) -> Any:
    """
    Have its answers queued for grading, one submission per model; a second request changes nothing.

    A worker queues them: ask for the draft until its `state` is not `queuing` any more. It is then
    `graded`, and names its `submissions`, or `open`, and `job` says why nothing was queued.
    """
    person = request.auth.person

    def do() -> Status[Graded]:
        draft = get_draft(request, pk, is_open=False)
        job = None
        if draft.graded_at is None:
            job = submitting.ask_to_grade(
                draft=draft,
                by=person,
                version=_find_version(draft, sent.version),
                is_named=sent.is_named,
                again=sent.again,
            )
        told = notices.ask(draft=draft, by=person, mail=sent.mail, webhook=sent.webhook)
        made = list_submissions(person).filter(made_from__draft=draft).order_by("pk")
        return Status(
            202,
            Graded(
                draft=reverse("api:draft", args=[draft.pk]),
                job=describe_job(job) if job else None,
                submissions=[describe_brief(one) for one in made],
                notices=[describe_notice(one) for one in told],
            ),
        )

    return once(request, do)


def _find_version(draft: Draft, number: int | None) -> BenchmarkVersion | None:
    if number is None:
        return None
    found = BenchmarkVersion.objects.published().filter(benchmark=draft.benchmark)
    return get_object_or_404(found, number=number)


@router.get("/drafts/{int:pk}/notices", response=list[NoticeOut], auth=SUBMIT, url_name="notices")
def list_notices(request: ApiRequest, pk: int) -> list[NoticeOut]:
    """Say whether each notice was sent, and give the secret that signs the webhook."""
    draft = get_draft(request, pk, is_open=False)
    return [
        describe_notice(one, with_secret=True)
        for one in draft.notices.filter(person=request.auth.person)
    ]
