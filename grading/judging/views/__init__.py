"""Pages on judges."""
