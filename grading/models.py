"""Where Django looks for the rows of every room."""

from phybench.work.rooms import load

load("grading", "models")
