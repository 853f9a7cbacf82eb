"""Benchmarks made up to look around in, and to measure pages on."""
