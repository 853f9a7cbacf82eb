"""Rounds of review: opened, weighed, closed; what was said in them, and who may read it."""
