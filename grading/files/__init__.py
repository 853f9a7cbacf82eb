"""Files of answers and of references, as PHYBench publishes them, graded without a database."""
