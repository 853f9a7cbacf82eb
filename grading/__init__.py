"""
Grading: reading answers, deciding whether they are right, scoring them, and judges.

Grading a wrong answer is nearly all SymPy's `simplify`, which asks the same again and again; its
own cache is too small for the largest answers (decision 0006). It takes its size from the
environment when it is first imported, which is why that is said here, before anything can.
"""

import os

os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")
