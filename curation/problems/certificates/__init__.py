"""Certificates: what the grader makes of variants of a reference answer."""
