"""
Judging responses by rules and by language models: pure, no Django, no database, no network.

A judge is asked with a prompt (`prompts`), its reply is read (`replies`), and what comes of it is a
`Judgement`: a verdict, or the reason why there is none. What one is asked and how it is read is its
kind's (`kinds`). Before a model is asked about a short answer, `decide` looks whether rules will
do. What several say is joined in `panel`.
"""

from phybench_grader.judges.canaries import CANARIES, Canary, CanaryTally
from phybench_grader.judges.combination import (
    Combined,
    DecidingStage,
    Mode,
    RuleNegative,
    combine,
    needs_model,
    needs_rule,
)
from phybench_grader.judges.deterministic import STAGE_VERSION, RuleOutcome, RuleVerdict, decide
from phybench_grader.judges.injection import Sign, find_injections
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.location import Location, locate
from phybench_grader.judges.panel import (
    MIN_COVERAGE,
    FlipRate,
    Summary,
    join_ratings,
    measure_flips,
    summarise,
    vote,
)
from phybench_grader.judges.reasons import RULES, Effect, Reason, ReasonRule, Retry
from phybench_grader.judges.truth import TruthKind

__all__ = [
    "CANARIES",
    "MIN_COVERAGE",
    "RULES",
    "STAGE_VERSION",
    "Canary",
    "CanaryTally",
    "Combined",
    "DecidingStage",
    "Effect",
    "Flag",
    "FlipRate",
    "Judgement",
    "Location",
    "Mode",
    "Reason",
    "ReasonRule",
    "Retry",
    "RuleNegative",
    "RuleOutcome",
    "RuleVerdict",
    "Sign",
    "Summary",
    "TruthKind",
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
