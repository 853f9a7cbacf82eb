"""A file of which nothing is taken."""


class RefusedFile(Exception):
    """A file that can't be taken at all; the message says what to do."""
