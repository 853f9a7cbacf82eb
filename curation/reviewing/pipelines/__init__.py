"""Pipelines, their stages, and the questions of each, as rows."""
