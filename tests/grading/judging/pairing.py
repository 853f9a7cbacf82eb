"""Pairwise runs for tests: two submissions, and judges scripted by what the answers say."""

from typing import Any

from grading.answers.submissions.models import Submission
from grading.demo.fake_endpoint import Request
from grading.demo.fake_judge import read_data
from grading.demo.fake_replies import FakeReply
from grading.judging.models import JudgeRun
from grading.judging.prompts.configurations import Chosen
from grading.runs.models import Endpoint
from phybench.people.models import User
from phybench_grader.judges.kinds import KINDS
from tests.grading.conftest import make_file
from tests.grading.endpoints import steps
from tests.grading.judging.judging import JUDGE, begin, make_plan
from tests.organisations import organisation_of
from tests.versions import hand_in

CANARIES = 5
BEST = "the best way"
"""What an answer holds that the scripted judge prefers."""
RIGHT = KINDS["PAIRWISE"].list_canaries(turns=1)[0].first


def prefer(request: Request) -> FakeReply:
    """Prefer the one that holds `BEST`, or is the canaries' right answer; else call it a tie."""
    data = read_data(request.prompt)
    a, b = (BEST in text or text == RIGHT for text in (data["SOLUTION A"], data["SOLUTION B"]))
    preferred = "tie" if a is b else "A" if a else "B"
    return steps.answer(request, f"So. [[{preferred}]] TOKEN")


def prefer_first_place(request: Request) -> FakeReply:
    return steps.answer(request, "So. [[A]] TOKEN")


def hand_in_both(by: User, problems: list[Any], first: list[str], second: list[str]) -> Any:
    """Hand in two models' answers to the first few problems."""
    return [
        hand_in_as(by, name, [(problems[number], text) for number, text in enumerate(texts)])
        for name, texts in (("Model A", first), ("Model B", second))
    ]


def hand_in_as(by: User, name: str, rows: list[tuple[Any, str]]) -> Submission:
    [made] = hand_in(
        organisation=organisation_of(by),
        benchmark=rows[0][0].benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=make_file(*rows, model=name),
    )
    return made


def make_document(*endpoints: Endpoint, **fields: Any) -> dict[str, Any]:
    judges = [Chosen(one, JUDGE).write(is_alone=len(endpoints) == 1) for one in endpoints]
    return {"kind": "pairwise", "judges": judges, **fields}


def compare_both(
    first: Submission, second: Submission, endpoint: Endpoint, **fields: Any
) -> JudgeRun:
    """Begin a pairwise run as its evaluator would."""
    document = fields.pop("document", None) or make_document(endpoint)
    return begin(first, endpoint, document=document, other=second, **fields)


def make_pair_plan(second: Submission, endpoint: Endpoint, **fields: Any) -> Any:
    return make_plan(endpoint, make_document(endpoint), other=second, **fields)
