"""What workers do for comparisons: the analysis that `contrasts` registers."""

from grading.compare import contrasts

__all__ = ["contrasts"]
