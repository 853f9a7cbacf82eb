"""Rounds of review: opened, solved blind, reviewed, decided, closed."""
