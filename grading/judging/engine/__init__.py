"""Runs of judges: how rules, prompts, endpoints, limits and budget come together. No database."""
