"""What workers do for comparisons: the analysis that `contrasts` registers."""

from grading.board.compare import contrasts

__all__ = ["contrasts"]
