"""People: which roles they hold and ask for, where they work, and whether they may sign in."""
