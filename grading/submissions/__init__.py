"""Submissions: answers that are handed in together, what came of them, and their publication."""
