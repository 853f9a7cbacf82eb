"""What solvers' answers say about the keys of problems."""
