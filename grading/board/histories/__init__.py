"""What each model has handed in, over versions: where it stands, and what was said of it then."""
