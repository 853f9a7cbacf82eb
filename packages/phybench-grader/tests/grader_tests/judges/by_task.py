"""
Count what the rules decide rightly, wrongly or not at all, by task of BIG-bench Hard.

`python -m grader_tests.judges.by_task` prints it as a table. With the folder of another checkout
in PYTHONPATH it says the same of the rules there, over the cases that stand here.
"""

import tomllib
from collections import Counter
from pathlib import Path

from phybench_grader.judges.deterministic import RuleOutcome, TruthKind, decide

CASES = Path(__file__).parent / "cases" / "big_bench_hard.toml"
COLUMNS = ("right", "wrong", "undecided")


def count_by_task() -> dict[str, Counter[str]]:
    """Count, for each task, how the decision on each case stands to what a reader says of it."""
    counts: dict[str, Counter[str]] = {}
    for task, rows in tomllib.loads(CASES.read_text(encoding="utf-8")).items():
        counts[task] = Counter()
        for case in rows["cases"]:
            outcome = decide(
                case["response"],
                case["truth"],
                question=case.get("question", rows.get("question", "")),
                kind=TruthKind[case["type"].upper()] if "type" in case else None,
            ).outcome
            if outcome is RuleOutcome.UNDECIDED:
                counts[task]["undecided"] += 1
            else:
                counts[task]["right" if outcome.lower() == case["reading"] else "wrong"] += 1
    return counts


def write_table(counts: dict[str, Counter[str]]) -> str:
    lines = [f"| task | {' | '.join(COLUMNS)} |", "|---|---:|---:|---:|"]
    every = {**counts, "all": sum(counts.values(), Counter[str]())}
    lines += [
        f"| {task.replace('_', ' ')} | {' | '.join(str(found[one]) for one in COLUMNS)} |"
        for task, found in every.items()
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(write_table(count_by_task()))
