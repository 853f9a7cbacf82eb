"""Damaged data: looked for once a day, logged, and told to admins."""
