"""Grading: answers and their grades, models and people compared, and judges."""
