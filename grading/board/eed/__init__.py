"""How good EED is as a metric: what it adds to accuracy on the answers of a board."""
