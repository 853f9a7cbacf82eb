"""Runs of judges for tests: begun as an evaluator would, worked off as the workers would."""

import json
from typing import Any

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.demo.fake_endpoint import Request
from grading.demo.fake_judge import read_token
from grading.demo.fake_replies import FakeReply
from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.configurations import Chosen, find_built_in
from grading.judging.runs import actions as run_actions
from grading.judging.runs.actions import Plan
from grading.runs.models import Endpoint
from phybench_grader.judges import CANARIES
from phybench_grader.judges.empty_answers import EMPTY_ANSWERS
from tests.grading.endpoints.steps import ok
from tests.work import grade_attempt, judge_item

JUDGE = "fake-solver"
"""The model that test endpoints offer."""
KEY = "2mg + 4m"
"""A piece of the third problem's reference."""
FORM = {
    "kind": "SEMANTIC",
    "mode": "MODEL_ONLY",
    "language": "en",
    "repeats": "1",
    "max_tokens": "1000",
    "purpose": "To see.",
}
"""What is sent of a form that sets a run up, but for the judge."""
MARKED_RIGHT = "it is right"
"""What a response holds that the scripted judge takes for right."""


def reply(*, is_correct: bool = True, **fields: Any) -> FakeReply:
    """Reply as the semantic matcher is asked to."""
    verdict = {
        "comment": "Compared.",
        "extracted_answer": "m g h",
        "is_correct": is_correct,
        "reasoning_score": 5 if is_correct else 2,
        "error_type": "none" if is_correct else "wrong_logic",
        **fields,
    }
    return ok(json.dumps(verdict))


def read_id(request: Request) -> str:
    return read_token(request.prompt)


def find_canary(request: Request) -> Any:
    """Tell whether a request is about a canary, and which."""
    return next((one for one in CANARIES if one.response in request.prompt), None)


def judge_well(request: Request) -> FakeReply:
    """Know the canaries, and take for right what says so."""
    canary = find_canary(request)
    is_correct = canary.is_correct if canary else MARKED_RIGHT in request.prompt
    return reply(is_correct=is_correct, id=read_id(request))


def make_document(endpoint: Endpoint, **fields: Any) -> dict[str, Any]:
    chosen = Chosen(endpoint, JUDGE)
    return {
        "kind": "semantic",
        "mode": "model_only",
        "judges": [chosen.write(is_alone=True)],
        **fields,
    }


def make_plan(endpoint: Endpoint, document: dict[str, Any] | None = None, **fields: Any) -> Plan:
    document = document or make_document(endpoint)
    chosen = [Chosen(endpoint, one["model"]) for one in document.get("judges", [])]
    prompt = find_built_in(str(document["kind"]).upper(), "en", with_reference=True)
    return Plan(
        **{
            "document": document,
            "prompt": prompt,
            "judges": chosen,
            "hosts": frozenset({endpoint.host}),
            "purpose": "To see.",
            # Each would be some fifty more calls; `test_empty_answers.py` is about them.
            "tries_empty": False,
            **fields,
        }
    )


def grade_all(submission: Submission) -> None:
    for pk in submission.attempts.values_list("pk", flat=True):
        grade_attempt(pk)


def begin(submission: Submission, endpoint: Endpoint, **fields: Any) -> JudgeRun:
    return run_actions.begin(
        submission=submission,
        started_by=submission.uploaded_by,
        plan=make_plan(endpoint, **fields),
    )


def work_off(run: JudgeRun, times: int = 1) -> None:
    """Do what the workers would; each time what was put off has become due."""
    for _time in range(times):
        for pk in run.items.waiting().values_list("pk", flat=True):
            judge_item(pk)
        JudgeItem.objects.filter(run=run).update(next_at=None)


def skip_canaries(run: JudgeRun) -> None:
    """Leave the canaries out, where they are not what is tested."""
    run.items.exclude(canary="").delete()


def judge_answers(submission: Submission, endpoint: Endpoint, **fields: Any) -> JudgeRun:
    """Have a submission's answers judged, without the canaries."""
    run = begin(submission, endpoint, **fields)
    skip_canaries(run)
    work_off(run)
    return run


def reject_empty_answers(
    run: JudgeRun, *, but: frozenset[str] = frozenset(), without: frozenset[str] = frozenset()
) -> None:
    """Write down that a run's judge rejected all empty answers, accepted some, or was not asked."""
    for canary in EMPTY_ANSWERS:
        if canary.response in without:
            continue
        item, _is_new = JudgeItem.objects.update_or_create(
            run=run, canary=canary.name, defaults={"state": "SCORED"}
        )
        is_right = canary.response in but
        Judgement.objects.create(
            item=item,
            round=1,
            configuration=run.configuration,
            status="SCORED",
            verdict={"is_correct": is_right},
            is_right=is_right,
            value=float(is_right),
            has_passed=not is_right,
            input_sha256=canary.name,
        )


def read_items(run: JudgeRun) -> list[tuple[str, str]]:
    """Return the state and reason of each item that is no canary."""
    return list(run.items.filter(canary="").values_list("state", "reason"))


def mark_graded(submission: Submission) -> None:
    """Take a submission's answers for graded, where grading them is not what is tested."""
    Attempt.objects.filter(submission=submission).update(
        status=Attempt.Status.FAILED, failure_reason="not_tried"
    )


def say_right(request):
    """Know the canaries, and take everything else for right, in words that tell the key."""
    canary = find_canary(request)
    is_correct = canary.is_correct if canary else True
    return reply(is_correct=is_correct, id=read_id(request), comment=f"As {KEY} says.")
