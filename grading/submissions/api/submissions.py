"""Submissions: how far they are, how each answer was graded, publish and withdraw them."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema, Status

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from grading.answers import permissions
from grading.answers.models import with_grade
from grading.answers.submissions.models import Submission
from grading.submissions import publication
from grading.submissions.api.progress import Progress, measure
from grading.submissions.notices import actions as notices
from grading.submissions.notices.models import Notice
from grading.submissions.results.files import list_missing
from phybench.pages.api.cursors import cut
from phybench.pages.api.door import PUBLISH, READ, ApiRequest
from phybench.pages.api.once import DESCRIBED, once

router = Router(tags=["Submissions"])
A_PAGE = 100
LARGEST_PAGE = 1000


class NoticeOut(Schema):
    id: int
    way: str
    address: str
    state: str
    tries: int
    failure: str
    secret: str | None = None
    """What `X-PHYBench-Signature` of a webhook is made with (HMAC, SHA-256, of the body)."""


class SubmissionBrief(Schema):
    id: int
    number: int
    model: str
    organisation: int | None
    benchmark: str
    version: int | None
    draft: int | None
    is_named: bool
    created_at: datetime
    published_at: datetime | None
    withdrawn_at: datetime | None


class SubmissionOut(SubmissionBrief):
    progress: Progress
    obstacle: str
    """What is in the way of publishing it; empty where nothing is."""


class SubmissionPage(Schema):
    items: list[SubmissionBrief]
    next: str | None
    """The cursor of the next page."""


class Result(Schema):
    id: int | None = None
    """None where there is no answer."""
    problem: str
    sample: int | None
    """From 1; None where no answer to the problem was handed in."""
    status: str
    verdict: str | None = None
    accuracy: float | None = None
    eed: float | None = None
    reason: str = ""
    is_key_corrected: bool = False
    """Whether the key was corrected since it was graded by it."""


class ResultPage(Schema):
    items: list[Result]
    next: str | None


def describe_notice(notice: Notice, *, with_secret: bool = False) -> NoticeOut:
    is_signed = with_secret and notice.way == Notice.Way.WEBHOOK
    return NoticeOut(
        id=notice.pk,
        way=notice.way.lower(),
        address=notice.address,
        state=notice.state,
        tries=notice.tries,
        failure=notice.failure,
        secret=notices.find_secret(notice) if is_signed else None,
    )


def _describe(submission: Submission) -> dict[str, Any]:
    return {
        "id": submission.pk,
        "number": submission.number,
        "model": submission.solver.name,
        "organisation": submission.solver.organisation_id,
        "benchmark": submission.benchmark.slug,
        "version": submission.version.number if submission.version else None,
        # What `seed_bank` makes is of none.
        "draft": getattr(getattr(submission, "made_from", None), "draft_id", None),
        "is_named": submission.is_named,
        "created_at": submission.created_at,
        "published_at": submission.published_at,
        "withdrawn_at": submission.withdrawn_at,
    }


def describe_brief(submission: Submission) -> SubmissionBrief:
    return SubmissionBrief(**_describe(submission))


def _list_seen(request: ApiRequest) -> QuerySet[Submission]:
    return permissions.list_submissions(request.auth.person).select_related("made_from")


def get_submission(request: ApiRequest, pk: int) -> Submission:
    return get_object_or_404(_list_seen(request), pk=pk)


def describe(submission: Submission) -> SubmissionOut:
    ranked = publication.find_ranked(submission)
    return SubmissionOut(
        **_describe(submission),
        progress=measure(submission),
        obstacle=publication.find_obstacle(submission, ranked=ranked),
    )


def _write_verdicts(request: ApiRequest, submission: Submission) -> None:
    """Write down what was told: sums tell what is graded as lists do."""
    told = submission.attempts.telling().values_list("revision", flat=True)
    ledger.write_verdicts(request.auth.person, Reason.GRADE, told)


@router.get("/submissions", response=SubmissionPage, auth=READ, url_name="submissions")
def list_submissions(
    request: ApiRequest,
    cursor: str = Query("", max_length=100),
    limit: int = Query(A_PAGE, ge=1, le=LARGEST_PAGE),
) -> SubmissionPage:
    """List the submissions of your teams, newest first."""
    found = _list_seen(request)
    page, following = cut(found.defer("left_out"), cursor, limit, newest_first=True)
    return SubmissionPage(items=[describe_brief(one) for one in page], next=following)


@router.get("/submissions/{int:pk}", response=SubmissionOut, auth=READ, url_name="submission")
def show(request: ApiRequest, pk: int) -> SubmissionOut:
    """Give the progress of a submission and its results so far."""
    found = get_submission(request, pk)
    described = describe(found)
    _write_verdicts(request, found)
    return described


@router.get("/submissions/{int:pk}/results", response=ResultPage, auth=READ, url_name="results")
def list_results(
    request: ApiRequest,
    pk: int,
    cursor: str = Query("", max_length=100),
    limit: int = Query(A_PAGE, ge=1, le=LARGEST_PAGE),
) -> ResultPage:
    """
    Tell how each answer was graded, and on the last page what is missing.

    Of the hidden part nothing is told.
    """
    found = get_submission(request, pk)
    attempts = with_grade(found.attempts.select_related("revision__problem"))
    page: list[Any]
    page, following = cut(attempts, cursor, limit)
    results = [
        Result(
            id=one.pk,
            problem=one.revision.problem.identifier,
            sample=one.sample,
            status=one.status,
            verdict=one.verdict,
            accuracy=one.accuracy,
            eed=one.eed,
            reason=one.reason or one.failure_reason,
            is_key_corrected=one.is_key_corrected,
        )
        for one in page
    ]
    if following is None:
        results += [
            Result(problem=one.id, sample=one.sample, status=one.status)
            for one in list_missing(found)
        ]
    _write_verdicts(request, found)
    return ResultPage(items=results, next=following)


@router.post(
    "/submissions/{int:pk}/publish",
    response=SubmissionOut,
    auth=PUBLISH,
    openapi_extra=DESCRIBED,
    url_name="publish",
)
def publish(request: ApiRequest, pk: int) -> Any:
    """Publish its score permanently."""

    def do() -> Status[SubmissionOut]:
        publication.publish(submission=get_submission(request, pk), by=request.auth.person)
        return _answer(request, pk)

    return once(request, do)


@router.post(
    "/submissions/{int:pk}/withdraw",
    response=SubmissionOut,
    auth=PUBLISH,
    openapi_extra=DESCRIBED,
    url_name="withdraw",
)
def withdraw(request: ApiRequest, pk: int) -> Any:
    """Withdraw it: it keeps its number and its grades, but has no rank."""

    def do() -> Status[SubmissionOut]:
        publication.withdraw(submission=get_submission(request, pk), by=request.auth.person)
        return _answer(request, pk)

    return once(request, do)


def _answer(request: ApiRequest, pk: int) -> Status[SubmissionOut]:
    found = get_submission(request, pk)
    _write_verdicts(request, found)
    return Status(200, describe(found))
