"""Benchmarks: each prints ratios against a named reference measured in the same run."""

import grading  # noqa: F401  # before SymPy: its cache is then as large for all that is compared
