"""Samples of wrong answers whose first error people label: what kind it is, and where it stands."""
