"""Grading behind the sandbox: hostile texts stay small, and a killed child holds nobody up."""

import os
import signal
import time

import pytest

from grader_tests.expressions.test_hostile_texts import BOUNDED, REFUSED
from phybench.work import sandbox
from phybench.work.sandbox import Stopped, run
from phybench_grader import Verdict, grade
from tests.grading.weighing import weigh_grading

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
PLENTY = 300
"""Seconds for what ends by itself."""
AT_ONCE = 15
"""Seconds that no new child needs, even on a busy machine: it comes with the grader loaded."""


@pytest.fixture(autouse=True)
def _new_children():
    sandbox.close()
    yield
    sandbox.close()


@pytest.mark.parametrize("step", [12, pytest.param(3, marks=pytest.mark.slow)])
def test_hostile_texts_stay_far_below_the_memory_cap(step):
    # Some are cases of pytest's, with marks.
    refused = [getattr(one, "values", one)[0] for one in REFUSED[::step]]
    texts = refused + BOUNDED[::step]

    assert run(weigh_grading, texts, deadline=PLENTY) < sandbox.MEMORY / 4


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSEGV])
def test_the_next_answer_is_graded_at_once_after_a_child_died(blow):
    process = run(os.getpid, deadline=PLENTY)
    os.kill(process, blow)
    begun = time.monotonic()

    judgements = [run(grade, "h g m", "m g h", deadline=PLENTY) for _ in range(3)]

    assert {judgement.verdict for judgement in judgements} == {Verdict.CORRECT}
    assert time.monotonic() - begun < AT_ONCE


def test_the_next_answer_is_graded_at_once_after_one_was_stopped():
    run(grade, "x", "x", deadline=PLENTY)
    with pytest.raises(Stopped):
        run(time.sleep, PLENTY, deadline=0.2)
    begun = time.monotonic()

    assert run(grade, "h g m", "m g h", deadline=PLENTY).verdict is Verdict.CORRECT
    assert time.monotonic() - begun < AT_ONCE
