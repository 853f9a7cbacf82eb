"""Grade answers anew beside the grades that count, and decide on what that would change."""
