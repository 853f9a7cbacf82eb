"""Figures over grades and ratings: means, errors, agreement. Pure."""
