"""What grading keeps: answers and their grades; endpoints and the calls made; trials; judges."""

from grading.models.answers import (
    Attempt,
    AttemptQuerySet,
    Grade,
    GradeQuerySet,
    NewestGrade,
    Solver,
    Submission,
    Verdict,
    with_grade,
)
from grading.models.calls import CallUnderWay, ModelCall, ModelCallQuerySet, Spending
from grading.models.endpoints import Endpoint, EndpointQuerySet
from grading.models.evidence import JudgeConfiguration, JudgeKind, JudgePrompt
from grading.models.judge_calls import JudgeCall
from grading.models.judging import (
    JudgeItem,
    Judgement,
    JudgementQuerySet,
    JudgeRun,
    JudgeRunQuerySet,
    RunJudge,
)
from grading.models.keys import KeyCheck
from grading.models.rulings import LabelFile, Ruling
from grading.models.trials import Trial, TrialAnswer, TrialAnswerQuerySet, TrialQuerySet

__all__ = [
    "Attempt",
    "AttemptQuerySet",
    "CallUnderWay",
    "Endpoint",
    "EndpointQuerySet",
    "Grade",
    "GradeQuerySet",
    "JudgeCall",
    "JudgeConfiguration",
    "JudgeItem",
    "JudgeKind",
    "JudgePrompt",
    "JudgeRun",
    "JudgeRunQuerySet",
    "Judgement",
    "JudgementQuerySet",
    "KeyCheck",
    "LabelFile",
    "ModelCall",
    "ModelCallQuerySet",
    "NewestGrade",
    "Ruling",
    "RunJudge",
    "Solver",
    "Spending",
    "Submission",
    "Trial",
    "TrialAnswer",
    "TrialAnswerQuerySet",
    "TrialQuerySet",
    "Verdict",
    "with_grade",
]
