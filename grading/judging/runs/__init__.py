"""Runs of judges over submissions: rows, and the workers that work them off."""
