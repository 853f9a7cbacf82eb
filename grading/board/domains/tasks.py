"""What workers do for pages about domains: the analysis that `figures` registers."""

from grading.board.domains import figures

__all__ = ["figures"]
