"""
Ask a model the problems beside this file with Inspect:

    inspect eval {{ name }}.py --model openai/gpt-…    (--epochs 4: each problem four times)

Upload the log (.eval) that it writes. Nothing is scored here: the reference answers stay there.
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

PROBLEMS = Path(__file__).with_name("problems.jsonl")


@task
def {{ name }}() -> Task:
    rows = [json.loads(line) for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    samples = [
        Sample(id=row["id"], input=row["prompt"], metadata={"version": row["version"]})
        for row in rows
    ]
    return Task(dataset=samples, solver=generate())
