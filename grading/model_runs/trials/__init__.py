"""A draft tried on models before it is submitted."""
