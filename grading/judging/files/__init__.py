"""A run over a file of items, on threads: its records and its journal; no database."""
