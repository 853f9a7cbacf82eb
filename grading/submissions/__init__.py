"""Submissions: what is handed in together, how far it is, what came of it, and its publication."""
