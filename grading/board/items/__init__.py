"""What is told of each problem of a version: how hard, how telling, and how sound it is."""
