"""What a child process does with hostile texts, and how much memory that took it."""

import resource
import sys
from collections.abc import Iterable

from phybench_grader import JudgeError, grade


def weigh_grading(texts: Iterable[str]) -> int:
    """Grade texts one after the other; return the most bytes this process ever held."""
    for text in texts:
        try:
            grade(text, "x+y")
        except JudgeError:
            continue
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
