"""Scores that were published elsewhere: shown beside a board, and never ranked on it."""
