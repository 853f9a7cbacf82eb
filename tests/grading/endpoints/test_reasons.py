from pathlib import Path

import pytest

import grading
from grading.endpoints import RULES, Cause, EndpointError


def test_every_reason_has_a_rule():
    assert set(RULES) == set(Cause)


@pytest.mark.parametrize("reason", Cause)
def test_a_message_is_a_sentence(reason):
    message = RULES[reason].message
    assert message[0].isupper()
    assert message.endswith(".")
    assert str(EndpointError(reason)) == message


def write_table() -> str:
    lines = ["| code | tried again | effect | may cost | says |", "|---|---|---|---|---|"]
    for reason, rule in RULES.items():
        again = {None: "yes", 0: "no", 1: "once", 2: "twice"}[rule.retries]
        cost = "yes" if rule.billed else "no"
        lines.append(f"| `{reason}` | {again} | {rule.effect} | {cost} | {rule.message} |")
    return "\n".join(lines)


def test_the_documentation_has_the_table_as_it_is():
    page = Path(grading.__file__).parent.parent / "docs" / "endpoints.md"
    text = page.read_text(encoding="utf-8")
    assert write_table() in text, f"it should have:\n{write_table()}"
