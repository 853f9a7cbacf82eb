"""The project: settings, addresses, people. Nothing of the domain lives here."""

VERSION = "0.1.0"
"""As in pyproject.toml; a test holds that."""
