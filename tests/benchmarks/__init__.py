"""Figures that are printed, not asserted: run each module with `python -m`."""
