"""Samples of first errors, drawn from the models on a board; `grading.samples` has the rest."""
