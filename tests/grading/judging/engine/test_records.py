"""A record has a verdict or a reason, whatever happens; the examples in docstrings are run."""

import contextlib
import doctest
import importlib
import json
import pkgutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grading.judging
from grading.judging.engine.records import STATUSES, Record, RecordStatus, tell_outcome
from phybench_grader.judges import Effect, Judgement, Reason
from tests.grading.endpoints import steps
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.judging.engine.conftest import Files, item, name_item

MODULES = [one.name for one in pkgutil.walk_packages(grading.judging.__path__, "grading.judging.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_what_they_say(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("both", [True, False])
def test_a_record_has_a_verdict_or_a_reason_and_not_both(both):
    fields = {"verdict": {"rating": 7.0}, "unscored_reason": "empty"} if both else {}
    with pytest.raises(ValueError, match="a verdict or a reason"):
        Record(id=1, kind="rating", status=RecordStatus.SCORED, **fields)


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_makes_a_record_with_a_sentence_that_can_be_read_back(reason):
    record = Record(id=1, kind="rating", **tell_outcome(Judgement.missing(reason)))
    assert record.status is not RecordStatus.SCORED
    assert record.message
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_every_effect_of_a_reason_has_a_status():
    assert set(STATUSES) == set(Effect)


@settings(max_examples=15)
@given(st.lists(st.binary(max_size=200), min_size=1, max_size=12))
def test_whatever_an_endpoint_sends_each_item_has_a_verdict_or_a_reason(bodies):
    """Drawn without the fixtures, which Hypothesis would share between its examples."""
    with contextlib.ExitStack() as stack:
        files = Files(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        answers = [steps.ok(body.decode("latin-1")) for body in bodies]
        server = stack.enter_context(
            ScriptedServer(lambda request: answers[int(name_item(request))])
        )
        files.configure(server, kind="rating", with_reference=False)
        files.list_items(*(item(number) for number in range(len(bodies))))
        assert files.judge().status in (0, 1)
        records = files.records()
    assert len(records) == len(bodies)
    for record in records:
        assert (record["verdict"] is None) is (record["unscored_reason"] is not None)
        assert record["verdict"] is None or 1 <= record["verdict"]["rating"] <= 10
