"""Comments in threads beside the reviews, and notes to the admins."""
