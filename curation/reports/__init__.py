"""Errors that readers found in accepted problems, and their errata."""
