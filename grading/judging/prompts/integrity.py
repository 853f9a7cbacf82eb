"""What holds of judges: prompts and configurations are those that their hashes name."""

import hashlib
import json
from typing import Any

from grading.judging.prompts.models import JudgeConfiguration, JudgePrompt
from phybench.work.integrity import Invariant, each, register


def _hash(described: Any) -> str:
    """Hash what a configuration was, as `Configuration.identity` does with what it is today."""
    text = json.dumps(described, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


register(
    Invariant(
        JudgePrompt.objects.all(),
        each(lambda one: one.sha256 != hashlib.sha256(one.text.encode()).hexdigest()),
        "has another hash than its text",
    ),
    Invariant(
        JudgeConfiguration.objects.all(),
        each(lambda one: one.sha256 != _hash(one.described)),
        "has another hash than what it describes",
    ),
)
