"""What workers do for boards: the analysis that `figures` registers."""

from grading.board import figures

__all__ = ["figures"]
