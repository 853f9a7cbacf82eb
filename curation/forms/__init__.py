"""What people fill in to write, find, review and correct problems, and to set pipelines up."""
