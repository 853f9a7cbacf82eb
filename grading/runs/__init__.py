"""Runs of judges over a submission, kept in the database, and what people make of them."""
