"""
Judging responses by rules and by language models: pure, no Django, no database, no network.

A judge is asked with a prompt (`prompts`), its reply is read (`replies`), and what comes of it is a
`Judgement`: a verdict, or the reason why there is none. What one is asked and how it is read is its
kind's (`kinds`). Before a model is asked about a short answer, `decide` looks whether rules will
do. What several say is joined in `panel`.
"""

from grading.judges.canaries import CANARIES, Canary, CanaryTally
from grading.judges.combination import (
    Combined,
    Mode,
    RuleNegative,
    Stage,
    combine,
    needs_model,
    needs_rule,
)
from grading.judges.deterministic import STAGE_VERSION, Outcome, RuleVerdict, decide
from grading.judges.injection import Sign, find_injections
from grading.judges.judgement import Flag, Judgement
from grading.judges.location import Location, locate
from grading.judges.panel import (
    MIN_COVERAGE,
    FlipRate,
    Summary,
    join_ratings,
    measure_flips,
    summarise,
    vote,
)
from grading.judges.reasons import RULES, Effect, Reason, Retry, Rule
from grading.judges.truth import Kind

__all__ = [
    "CANARIES",
    "MIN_COVERAGE",
    "RULES",
    "STAGE_VERSION",
    "Canary",
    "CanaryTally",
    "Combined",
    "Effect",
    "Flag",
    "FlipRate",
    "Judgement",
    "Kind",
    "Location",
    "Mode",
    "Outcome",
    "Reason",
    "Retry",
    "Rule",
    "RuleNegative",
    "RuleVerdict",
    "Sign",
    "Stage",
    "Summary",
    "combine",
    "decide",
    "find_injections",
    "join_ratings",
    "locate",
    "measure_flips",
    "needs_model",
    "needs_rule",
    "summarise",
    "vote",
]
