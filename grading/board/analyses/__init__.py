"""What workers work out of a board's scores, kept for as long as the scores are the same."""
