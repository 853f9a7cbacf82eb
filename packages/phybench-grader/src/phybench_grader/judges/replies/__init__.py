"""What every reply of a judge has in common: its text, its end, and the JSON in it."""
