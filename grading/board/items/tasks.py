"""What workers do for pages about problems: the analyses that `figures` registers."""

from grading.board.items import figures

__all__ = ["figures"]
