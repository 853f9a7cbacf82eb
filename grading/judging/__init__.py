"""Judges: language models beside the grader, their runs, and what people make of them."""
