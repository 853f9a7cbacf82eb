"""Answers that judges left in doubt, ruled on by people: what waits, what was given."""
