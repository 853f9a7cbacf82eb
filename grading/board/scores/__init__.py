"""What a board is of, and the scores on it, as arrays that every analysis begins with."""
