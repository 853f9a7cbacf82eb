"""Where home looks for what this app tells people itself."""

from phybench.desks import news

__all__ = ["news"]
