"""The names on a problem, put there and taken off, and the pages of who contributed what."""
