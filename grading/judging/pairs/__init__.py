"""Two submissions compared by a pairwise judge."""
