"""Why a judgement is missing, as one table."""

import pytest

from phybench_grader.judges.judgement import Judgement
from phybench_grader.judges.panel import summarise
from phybench_grader.judges.reasons import RULES, Effect, Reason, Retry


def test_every_reason_has_a_rule_and_a_sentence():
    assert set(RULES) == set(Reason)
    for reason in Reason:
        assert reason.message.endswith(".")
    assert Reason.AUTH.rule.effect is Effect.PAUSE_ENDPOINT
    assert Reason.MODEL_NOT_FOUND.rule.effect is Effect.FAIL_RUN
    assert Reason.RATE_LIMITED.rule.retry is Retry.YES
    assert Reason.TRUNCATED.rule.retry is Retry.ADAPTED
    assert Reason.MISSING_REFERENCE.rule.effect is Effect.SKIPPED
    assert Reason.BUDGET.rule.effect is Effect.PENDING


@pytest.mark.parametrize("reason", Reason)
def test_no_reason_is_a_score(reason):
    judgement = Judgement.missing(reason)

    assert judgement.verdict is None
    assert summarise([judgement], float, lowest=0, highest=1).mean is None
