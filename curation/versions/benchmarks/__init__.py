"""Benchmarks: what is to be reached by when, by whom, and how far it is."""
