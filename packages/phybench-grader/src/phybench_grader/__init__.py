"""
Read answers to physics problems, decide whether they are right, and score them: SymPy only.

Eight names are public, and frozen: `grade`, `read`, `compare`, `explain`, `Verdict`, `JudgeError`
(also as `NotGraded`), `Declaration` and `GRADER_VERSION`. What lies in the sub-packages may change
with each version. Accuracy and EED are those of PHYBench (arXiv 2504.16074, section 3.3).
"""

import os

# Grading a wrong answer is nearly all SymPy's `simplify`, which asks the same again and again, and
# SymPy's own cache is too small for the largest answers. It takes its size from the environment
# when it is first imported.
os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")

from phybench_grader.reading.reading import JudgeError  # not before the cache's size
from phybench_grader.statement.answer import read
from phybench_grader.verdict.comparison import compare
from phybench_grader.verdict.declarations import Declaration
from phybench_grader.verdict.explanation import explain
from phybench_grader.verdict.grade import GRADER_VERSION, Verdict, grade

NotGraded = JudgeError

__all__ = [
    "GRADER_VERSION",
    "Declaration",
    "JudgeError",
    "NotGraded",
    "Verdict",
    "compare",
    "explain",
    "grade",
    "read",
]
