"""What more samples of each problem bring: the best of k answers, and what most of k say."""
