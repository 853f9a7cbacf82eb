"""What runs of judges said, and every call that they made."""
