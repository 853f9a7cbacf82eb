"""What people fill in to have answers judged."""
