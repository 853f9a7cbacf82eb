"""Models that stood on a board once, named and frozen: what figures of problems are over."""
