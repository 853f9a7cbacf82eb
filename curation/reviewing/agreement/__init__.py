"""How far reviewers agree, and what is done where they do not."""
