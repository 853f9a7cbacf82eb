"""Review: pipelines, rounds, who is assigned, what is said beside, where reviews disagree."""
