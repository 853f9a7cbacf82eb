"""
Fill the reporting checklist for human baselines.

Its items are those of K. L. Wei and others, "Recommendations and Reporting Checklist for Rigorous &
Transparent Human Baselines in Model Evaluations" (arXiv 2506.13776, 2025), under their numbers and
in our own words; part 6 is ours. It is written in English, as the papers that it goes into.

Pure: no Django, no database.
"""

from grading.board.baselines.checklist.facts import Facts
from grading.board.baselines.checklist.items import Part
from grading.board.baselines.checklist.outcome import (
    build_analysis,
    build_documentation,
    build_more,
    build_sessions,
)
from grading.board.baselines.checklist.plan import build_design, build_evaluation, build_people

SOURCE = "arXiv:2506.13776"


def build(facts: Facts) -> list[Part]:
    """Fill the checklist."""
    return [
        Part("0 Evaluation", build_evaluation(facts)),
        Part("1 Design", build_design(facts)),
        Part("2 People", build_people(facts)),
        Part("3 Sessions", build_sessions(facts)),
        Part("4 Analysis", build_analysis(facts)),
        Part("5 Documentation", build_documentation(facts)),
        Part("6 What else this site knows", build_more(facts)),
    ]
