"""Pages for writing, finding and judging problems."""
