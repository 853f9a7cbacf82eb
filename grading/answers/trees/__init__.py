"""Expression trees as pictures: what a node is called, where it stands, what is folded away."""
