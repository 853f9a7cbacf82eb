"""Objections to single grades, and what people ruled on them."""
