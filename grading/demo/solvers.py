"""The models of the demo: what is said of each, and which of the written answers it gives."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from grading.solvers.models import Description


@dataclass(frozen=True, slots=True)
class DemoModel:
    """A model as made up as its description: at which level it answers, problem after problem."""

    name: str
    levels: tuple[str, ...]
    described: dict[str, Any]
    samples: int = 1

    def answer(self, number: int, sample: int, answers: dict[str, Any]) -> str | None:
        """Return the answer to the problem of this number, or None where it has left that out."""
        # Another sample of a problem begins at another level; a level without an answer is skipped.
        first = (number + sample - 1) % len(self.levels)
        turns = (*self.levels[first:], *self.levels[:first])
        return next((answers[level] for level in turns if level in answers), None)


OPEN, CLOSED = Description.Weights.OPEN, Description.Weights.CLOSED
REASONING = {"kind": Description.Kind.REASONING, "harness": "demo-harness 1.2"}
STRONG = {
    **REASONING,
    "parameters": 671_000_000_000,
    "weights": OPEN,
    "inference": "temperature 0.6, top-p 0.95, at most 32,768 tokens",
    "tools": "none",
}
MODELS = (
    DemoModel(
        "strong",
        ("strong",),
        STRONG | {"released_on": date(2026, 5, 28), "link": "https://models.demo.example/strong"},
    ),
    # So near to the one above that these problems can't tell them apart.
    DemoModel(
        "good",
        ("strong", "strong", "middle", "strong", "strong"),
        STRONG | {"released_on": date(2026, 3, 3), "link": "https://models.demo.example/strong"},
    ),
    DemoModel(
        "middle",
        ("middle",),
        REASONING
        | {
            "weights": CLOSED,
            "released_on": date(2026, 2, 11),
            "link": "https://models.demo.example/middle",
            "inference": "reasoning effort medium, at most 16,384 tokens",
            "tools": "code",
        },
    ),
    DemoModel(
        "four samples",
        ("strong", "middle", "weak", "middle"),
        REASONING
        | {
            "parameters": 70_000_000_000,
            "weights": OPEN,
            "released_on": date(2026, 1, 20),
            "inference": "temperature 1, at most 16,384 tokens",
            "tools": "none",
        },
        samples=4,
    ),
    DemoModel(
        "small",
        ("weak", "middle", "weak"),
        REASONING
        | {
            "parameters": 14_000_000_000,
            "weights": OPEN,
            "released_on": date(2025, 11, 6),
            "inference": "temperature 0.6, at most 8,192 tokens",
        },
    ),
    DemoModel(
        "weak",
        ("weak",),
        {
            "kind": Description.Kind.GENERAL,
            "parameters": 8_000_000_000,
            "weights": OPEN,
            "released_on": date(2025, 7, 23),
            "inference": "temperature 0, at most 4,096 tokens",
            "tools": "none",
            "harness": "demo-harness 1.1",
        },
    ),
)
"""Not all of it is said of each, as in life."""
