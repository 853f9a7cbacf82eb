"""Two submissions to one benchmark, problem by problem."""
