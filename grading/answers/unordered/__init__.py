"""Unordered EED of answers, measured in the background beside the grades that count."""
