"""What a visitor needs to know to tell how far a board can be trusted."""
