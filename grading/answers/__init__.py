"""Answers: who solves, what was handed in, what each answer is worth."""
