"""The back office of grading: everything that is kept, to find and to read."""

from grading.admin import answers, judges

__all__ = ["answers", "judges"]
