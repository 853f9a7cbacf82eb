"""The project: settings, addresses, people. Nothing of the domain lives here."""

# First of all: it sets the size of SymPy's cache, which SymPy reads when it is first imported.
import phybench_grader  # noqa: F401

VERSION = "0.1.0"
"""As in pyproject.toml; a test holds that."""
