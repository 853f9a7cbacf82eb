"""Everything about a submission's answers as files: a row for each, also for what is missing."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.db.models import F
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from curation.problems.models import Problem
from grading.answers.models import OF_THE_KEY, Attempt, with_grade
from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.runs import sentences
from grading.submissions.results.exposing import record_verdicts
from grading.submissions.results.rows import MISSING, list_problems
from phybench.pages.csv import stream_csv
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence

AT_ONCE = 500
"""Answers that are fetched together; each may have a long response."""
OF_THE_FILE = ("finish_reason", "tokens", "latency")
OF_GRADES = (
    "distance", "size", "message", "answer_read", "notes", "judge_version", "sympy_version",
    "seconds",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """One answer, or that there is none, as the files write it: codes, and English."""

    id: str
    domain: str
    difficulty: str
    model: str
    sample: int | None = None
    """From 1; None where no answer to the problem was handed in."""
    status: str = MISSING
    finish_reason: str = ""
    tokens: int | None = None
    latency: float | None = None
    """Seconds; these three as the solver's file had them."""
    verdict: str | None = None
    accuracy: float | None = None
    eed: float | None = None
    distance: float | None = None
    size: float | None = None
    reason: str = ""
    message: str = ""
    answer_read: str = ""
    notes: tuple[str, ...] = ()
    grader_version: str = ""
    sympy_version: str = ""
    seconds: float | None = None
    key_corrected_since: bool = False


HEADER = [one.name for one in fields(AnswerLine)]


def list_lines(
    submission: Submission, *, with_responses: bool = False
) -> Iterator[tuple[AnswerLine, str]]:
    """List answers, with their responses if asked for, by problem; after them what is missing."""
    attempts = submission.attempts.select_related("revision__problem").only(
        "submission", "sample", "status", "failure_reason", "failure_message",
        *OF_THE_FILE,
        *(["response"] if with_responses else []),
        *(f"revision__problem__{one}" for one in ("published_id", "domain", "difficulty")),
    )  # fmt: skip
    told = {f"told_{name}": F(f"current_grade__{name}") for name in OF_GRADES}
    found: Any = with_grade(attempts, benchmark=submission.benchmark).annotate(**told)
    given: dict[int, set[int]] = defaultdict(set)
    for attempt in found.order_by("revision__problem", "sample").iterator(chunk_size=AT_ONCE):
        given[attempt.revision.problem_id].add(attempt.sample)
        yield _describe(submission, attempt), attempt.response if with_responses else ""
    for line in _fill_up(submission, given):
        yield line, ""


def list_missing(submission: Submission) -> Iterator[AnswerLine]:
    """List what there is no answer to: as many samples as other problems have, or all of one."""
    given: dict[int, set[int]] = defaultdict(set)
    answers = submission.attempts.order_by().values_list("revision__problem", "sample")
    for problem, sample in answers.iterator():
        given[problem].add(sample)
    return _fill_up(submission, given)


def _describe(submission: Submission, attempt: Any) -> AnswerLine:
    about = _describe_problem(submission, attempt.revision.problem)
    line = {name: getattr(attempt, name) for name in ("sample", "status", *OF_THE_FILE)}
    if attempt.status == Attempt.Status.FAILED:
        reason = attempt.failure_reason
        # How the reference is written is not told to who may not see it.
        message = "" if reason == "reference_unreadable" else _say(attempt.failure_message)
        return AnswerLine(**about, **line, reason=reason, message=message)
    if attempt.status != Attempt.Status.GRADED:
        return AnswerLine(**about, **line)
    return AnswerLine(
        **about,
        **line,
        verdict=attempt.verdict,
        accuracy=attempt.accuracy,
        eed=attempt.eed,
        distance=attempt.told_distance,
        size=attempt.told_size,
        reason=attempt.reason,
        message=_say(attempt.told_message),
        answer_read=attempt.told_answer_read,
        notes=tuple(
            _say(Sentence.read(note))
            for note in attempt.told_notes
            if note["code"] not in OF_THE_KEY
        ),
        grader_version=attempt.told_judge_version,
        sympy_version=attempt.told_sympy_version,
        seconds=attempt.told_seconds,
        key_corrected_since=attempt.is_key_corrected,
    )


def _describe_problem(submission: Submission, problem: Problem) -> dict[str, Any]:
    return {
        "id": problem.identifier,
        "domain": problem.domain,
        "difficulty": problem.difficulty,
        "model": submission.solver.name,
    }


def _say(said: Sentence | str | None) -> str:
    return said.say(str, sentences.SENTENCES) if isinstance(said, Sentence) else said or ""


def _fill_up(submission: Submission, given: Mapping[int, set[int]]) -> Iterator[AnswerLine]:
    most = max(map(len, given.values()), default=0)
    problems = list_problems(submission).only("published_id", "domain", "difficulty")
    for problem in problems.order_by("pk"):
        about = _describe_problem(submission, problem)
        numbers = given.get(problem.pk)
        if not numbers:
            yield AnswerLine(**about)
            continue
        free = (number for number in range(1, most + max(numbers) + 1) if number not in numbers)
        for number, _lacking in zip(free, range(most - len(numbers)), strict=False):
            yield AnswerLine(**about, sample=number)


def _unpack(line: AnswerLine) -> dict[str, Any]:
    # `asdict` copies each value, and there are thousands of lines.
    return {name: getattr(line, name) for name in HEADER}


@role_required(Role.EVALUATOR)
@require_GET
def submission_csv(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    record_verdicts(request.user, found)
    return stream_csv(f"submission-{found.pk}", HEADER, _write_rows(found, request.user))


def _write_rows(submission: Submission, person: User) -> Iterator[list[object]]:
    for line, _response in list_lines(submission):
        row = _unpack(line)
        row["notes"] = " ".join(line.notes)
        row["key_corrected_since"] = "yes" if line.key_corrected_since else "no"
        yield list(row.values())
    # Some may have been graded meanwhile.
    record_verdicts(person, submission)


@role_required(Role.EVALUATOR)
@require_GET
def submission_jsonl(request: MemberRequest, pk: int) -> StreamingHttpResponse:
    """Answer with everything as JSON lines, the responses too."""
    found = get_object_or_404(list_submissions(request.user), pk=pk)
    record_verdicts(request.user, found)
    lines = _write_lines(found, request.user)
    response = StreamingHttpResponse(lines, content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="submission-{found.pk}.jsonl"'
    return response


def _write_lines(submission: Submission, person: User) -> Iterator[str]:
    for line, text in list_lines(submission, with_responses=True):
        yield json.dumps({**_unpack(line), "response": text}, ensure_ascii=False) + "\n"
    record_verdicts(person, submission)
