"""Files of items for tests: uploaded, and judged on pages as an evaluator would."""

import json

from grading.judging.models import JudgeFile, JudgeRun
from grading.judging.uploads import actions
from tests.grading.judging.judging import JUDGE, skip_canaries
from tests.organisations import organisation_of

BY_ITEM = {
    "kind": "RATING",
    "language": "by_item",
    "turns": "by_item",
    "reference": "by_category",
    "repeats": "1",
    "max_tokens": "1000",
    "purpose": "To see.",
}
"""What is sent of the form where all is left to each item."""
ITEM = {"id": 1, "question": "2+2?", "response": "4", "reference": "4", "category": "math"}


def write(rows) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def upload(by, rows, name="mixed.jsonl") -> JudgeFile:
    organisation = organisation_of(by)
    return actions.upload(by=by, organisation=organisation, file_name=name, content=write(rows))


def begin_on_page(client, file, endpoint, *, has_canaries=False, **fields):
    """Set a run up as an evaluator would; return it, and the page with its estimate."""
    address = file.get_absolute_url()
    sent = {**BY_ITEM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate", **fields}
    page = client.post(address, sent)
    agreed = {"step": "begin", "agree": "1", "host": endpoint.host}
    begun = client.post(address, {**sent, **agreed, "estimated": page.context["estimated"]})
    run = JudgeRun.objects.latest("pk")
    assert begun["Location"] == run.get_absolute_url()
    if not has_canaries:
        skip_canaries(run)
    return run, page
