"""Prompts and configurations of judges."""
