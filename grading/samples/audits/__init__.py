"""Samples of graded answers that people label blind, to say how often the grader errs."""
