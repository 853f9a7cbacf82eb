"""Answers: how each is graded, what it is worth, and what its page shows."""
