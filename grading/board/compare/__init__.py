"""Two that stand on a board beside each other: models, or a model and people."""
