"""Find problems, and read one."""
