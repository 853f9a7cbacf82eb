"""Unreadable answers of sessions as a person, blind to the key, entered what was meant."""
