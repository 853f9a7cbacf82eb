"""Scores from elsewhere, as tests need one."""

from datetime import date
from typing import Any

from curation.problems.benchmarks.models import Benchmark
from grading.board.reported import actions
from grading.board.reported.models import ReportedScore
from phybench.people.models import User

HEADER = "solver,item_set,n,accuracy,accuracy_pm,eed,eed_pm,pm_is,citation,url,reported_on,note"


def make_reported(benchmark: Benchmark, by: User, **fields: Any) -> ReportedScore:
    score = ReportedScore(
        **{
            "solver": "Gemini 2.5 pro",
            "item_set": "575 problems",
            "n": 575,
            "accuracy": 36.87,
            "accuracy_pm": 1.97,
            "eed": 49.46,
            "eed_pm": 1.71,
            "pm_is": "SE",
            "citation": "arXiv 2504.16074 v2, Fig. 1",
            "url": "https://arxiv.org/abs/2504.16074",
            "reported_on": date(2025, 5, 22),
            **fields,
        }
    )
    actions.add(benchmark=benchmark, scores=[score], by=by)
    return score


def write_row(solver: str = "Gemini 2.5 pro", eed: str = "49.46", **fields: str) -> str:
    row = {
        "solver": solver,
        "item_set": "575 problems",
        "n": "575",
        "accuracy": "36.87",
        "accuracy_pm": "1.97",
        "eed": eed,
        "eed_pm": "1.71",
        "pm_is": "SE",
        "citation": "arXiv 2504.16074",
        "url": "https://arxiv.org/abs/2504.16074",
        "reported_on": "2025-05-22",
        "note": "",
        **fields,
    }
    return ",".join(row.values())
