"""How a submission was graded: its page, problem by problem, and its files."""
