"""What grading keeps: answers and their grades; endpoints and the calls made; trials; judges."""

from grading.key_models import KeyCheck
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
from grading.models.judging import (
    JudgeCall,
    JudgeItem,
    Judgement,
    JudgementQuerySet,
    JudgeRun,
    JudgeRunQuerySet,
    Ruling,
    RunJudge,
)
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
