"""One submission's page: what it comes to, where it would stand, and its answers, wrong first."""
