"""The board of a benchmark."""
