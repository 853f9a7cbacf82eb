"""Who decides a round instead of its rule, and how."""
