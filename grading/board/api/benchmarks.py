"""Benchmarks, their versions, what these ask, and their boards."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Router, Schema

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from curation.versions.permissions import list_versions
from curation.versions.summary import count_parts
from grading.board.api.figures import AuditOut
from grading.board.figures import PeoplesFigures, SortKey
from grading.board.scores.scope import Scope
from grading.board.table import BoardRow
from grading.board.table import show_board as put_together
from grading.samples.audits.figures import find_for_board
from grading.solvers.permissions import list_hand_in_for
from grading.submissions.api.figures import Between, Figure
from grading.submissions.task_files import HARNESSES, give_problems, write_task
from phybench.pages.api.door import EVERYBODY, NO_TOKEN, READ, ApiRequest, PublicRequest
from phybench.pages.api.refused import Refusal

router = Router(tags=["Benchmarks"])
FILE: dict[str, Any] = {
    "responses": {
        200: {
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            }
        }
    }
}


class Version(Schema):
    benchmark: str
    number: int
    published_at: datetime
    sha256: str
    public_problems: int
    hidden_problems: int
    is_current: bool
    """Whether answers that are uploaded now are to it."""


class BenchmarkOut(Schema):
    slug: str
    name: str
    current_version: int | None


class OrganisationOut(Schema):
    id: int
    name: str


class ProblemOut(Schema):
    id: str
    tag: str
    content: str
    asked: str
    part: Literal["public", "hidden"]


class BoardRowOut(Schema):
    rank_low: int | None
    """Both ends of the ranks that it can have; null where it has none."""
    rank_high: int | None
    why_unranked: str
    """
    NEW_PROBLEMS, WAITING, UNGRADED, COVERAGE, FEW_PROBLEMS or COMING; empty where it has a rank.
    """
    name: str
    organisation: str | None
    kind: Literal["REASONING", "GENERAL"] | None
    """As its team says, like the following; null where it doesn't."""
    parameters: int | None
    developer: str | None
    accuracy: Figure
    """Without a value while not all answers are graded, as `eed`."""
    eed: Figure
    accuracy_range: Between | None
    """Where the mean can lie meanwhile; null while nothing is graded."""
    eed_range: Between | None
    answered: int
    """Problems with an answer, of so many:"""
    asked: int
    samples: int
    scored: int | None
    """Null of a row that was not asked all problems (`NEW_PROBLEMS`), as the following three."""
    unreadable: int | None
    missing: int | None
    not_graded: int | None
    waiting: int
    carried_from: int | None
    """The earlier version that its answers were submitted to; null where it is this one."""
    submission_number: int
    submissions: int
    published_at: datetime | None


class PeopleOut(Schema):
    """A group of people: each answer counts, and the intervals know that one gave several."""

    name: str
    """As pages call the group: “Human baseline”, its study, or those who answered without one."""
    is_human_baseline: bool
    """Whether an admin named its study so; at most one is."""
    people: int
    answers: int
    unreadable: int
    not_graded: int
    accuracy: Figure
    """Without a value while not all answers are graded, as `eed`."""
    eed: Figure
    accuracy_range: Between | None
    """Where the mean can lie meanwhile; null while nothing is graded."""
    eed_range: Between | None
    study: str
    """Empty of those who answered without one: they had no clock."""
    problems: int
    """In a session of the study."""
    clock_minutes: int | None
    minutes_a_session: float | None
    """Median, as the following; null where it is not known."""
    minutes_a_problem: float | None


class BoardOut(Schema):
    benchmark: str
    version: int
    sort: SortKey
    rows: list[BoardRowOut]
    people: PeopleOut | None
    """Those who answered without a study; null of fewer than five."""
    studies: list[PeopleOut]
    """Studies that have ended, and that at least five sat; the human baseline comes first."""
    ranks_are_coming: bool
    """Whether a worker still looks for the ranks: ask again in a few seconds."""
    audits: list[AuditOut]
    """Samples of the grader's errors; a complete one of the grader that counts comes first."""


@router.get(
    "/benchmarks",
    response=list[BenchmarkOut],
    auth=EVERYBODY,
    openapi_extra=NO_TOKEN,
    url_name="benchmarks",
)
def list_benchmarks(request: PublicRequest) -> list[BenchmarkOut]:
    """List the benchmarks, each with the version that takes answers."""
    current = dict(BenchmarkVersion.objects.current().values_list("benchmark", "number"))
    return [
        BenchmarkOut(slug=one.slug, name=one.name, current_version=current.get(one.pk))
        for one in Benchmark.objects.order_by("pk")
    ]


@router.get("/organisations", response=list[OrganisationOut], auth=READ, url_name="organisations")
def list_organisations(request: ApiRequest) -> list[OrganisationOut]:
    """List the teams that you upload answers for."""
    found = list_hand_in_for(request.auth.person).order_by("pk")
    return [OrganisationOut(id=one.pk, name=one.name) for one in found]


@router.get(
    "/benchmarks/{slug:slug}/versions",
    response=list[Version],
    auth=EVERYBODY,
    openapi_extra=NO_TOKEN,
    url_name="versions",
)
def list_published(request: PublicRequest, slug: str) -> list[Version]:
    """List the published versions of a benchmark, newest first."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    found = list_versions(request.auth.person).published().filter(benchmark=benchmark)
    versions = list(count_parts(found).order_by("-number"))
    return [_describe(one, is_current=one == versions[0]) for one in versions]


def _describe(version: Any, *, is_current: bool) -> Version:
    return Version(
        benchmark=version.benchmark.slug,
        number=version.number,
        published_at=version.published_at,
        sha256=version.sha256,
        public_problems=version.public,
        hidden_problems=version.hidden,
        is_current=is_current,
    )


def find_version(request: ApiRequest | PublicRequest, slug: str, number: int) -> BenchmarkVersion:
    found = list_versions(request.auth.person).published()
    return get_object_or_404(found, benchmark__slug=slug, number=number)


@router.get(
    "/benchmarks/{slug:slug}/versions/{int:number}/problems",
    response=list[ProblemOut],
    auth=READ,
    url_name="problems",
)
def list_problems(request: ApiRequest, slug: str, number: int) -> list[ProblemOut]:
    """
    Give what a version asks, without reference answers; of one that is superseded its public part.

    That you were shown it is written down.
    """
    version = find_version(request, slug, number)
    is_current = BenchmarkVersion.objects.current().filter(pk=version.pk).exists()
    items = version.items.all() if is_current else version.items.public()
    hidden = set(items.hidden().values_list("identifier", flat=True))
    return [
        ProblemOut(**row, part="hidden" if row["id"] in hidden else "public")
        for row in give_problems(items, request.auth.person)
    ]


@router.get(
    "/benchmarks/{slug:slug}/versions/{int:number}/tasks/{slug:harness}",
    response={200: None},
    auth=READ,
    openapi_extra=FILE,
    url_name="task",
)
def give_task(request: ApiRequest, slug: str, number: int, harness: str) -> HttpResponse:
    """
    Give the newest version's task for a harness, as its page does: its problems, without answers.

    That you were shown them is written down.
    """
    newest = BenchmarkVersion.objects.current()
    version = get_object_or_404(newest, benchmark__slug=slug, number=number)
    if harness not in HARNESSES:
        said = _("There is no task for it. There are: %(harnesses)s.")
        raise Refusal(422, "invalid", said % {"harnesses": _(", ").join(HARNESSES)})
    name, content = write_task(version, harness, request.auth.person)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@router.get(
    "/benchmarks/{slug:slug}/versions/{int:number}/board",
    response=BoardOut,
    auth=EVERYBODY,
    openapi_extra=NO_TOKEN,
    url_name="board",
)
def show_board(request: PublicRequest, slug: str, number: int, sort: SortKey = "eed") -> BoardOut:
    """Give the board of a version, as its page shows it."""
    version = find_version(request, slug, number)
    made = put_together(Scope.of(version), sort)
    rows = [_describe_row(row, sort) for row in made.rows]
    audit = find_for_board(version)
    found = [one for one in (audit.current, *audit.others) if one] if audit else []
    return BoardOut(
        benchmark=slug,
        version=version.number,
        sort=sort,
        rows=rows,
        people=_describe_people(made.people) if made.people else None,
        studies=[_describe_people(one) for one in made.studies],
        ranks_are_coming=made.is_coming and not made.failure,
        audits=[AuditOut.of(one) for one in found],
    )


def _describe_row(row: BoardRow, sort: SortKey) -> BoardRowOut:
    organisation, rank = row.solver.organisation, row.rank(sort)
    tally = None if row.is_provisional else row.tally
    return BoardRowOut(
        rank_low=rank.low if rank else None,
        rank_high=rank.high if rank else None,
        why_unranked=row.unranked or "",
        name=row.name,
        organisation=organisation.name if organisation else None,
        kind=row.traits.kind or None,
        parameters=row.traits.parameters,
        developer=row.traits.developer or None,
        accuracy=Figure.of(row.quote("accuracy")),
        eed=Figure.of(row.quote("eed")),
        accuracy_range=Between.of(row.range("accuracy")),
        eed_range=Between.of(row.range("eed")),
        answered=row.figures.answered,
        asked=row.figures.asked,
        samples=row.figures.samples,
        scored=tally.scored if tally else None,
        unreadable=tally.unreadable if tally else None,
        missing=tally.missing if tally else None,
        not_graded=tally.ungraded if tally else None,
        waiting=row.waiting,
        carried_from=row.carried_from,
        submission_number=row.submission.number,
        submissions=row.of,
        published_at=row.submission.published_at,
    )


def _describe_people(people: PeoplesFigures) -> PeopleOut:
    return PeopleOut(
        name=people.who.name,
        is_human_baseline=people.who.is_baseline,
        people=people.who.people,
        answers=people.answers,
        unreadable=people.unreadable,
        not_graded=people.ungraded,
        accuracy=Figure.of(people.means["accuracy"]),
        eed=Figure.of(people.means["eed"]),
        accuracy_range=Between.of(people.means["accuracy"].range),
        eed_range=Between.of(people.means["eed"].range),
        study=people.who.study,
        problems=people.problems,
        clock_minutes=people.clock or None,
        minutes_a_session=people.minutes_a_session,
        minutes_a_problem=people.minutes_a_problem,
    )
