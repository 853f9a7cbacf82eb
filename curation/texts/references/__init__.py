"""What an author says of a reference answer: symbols, units, dimensions. No database."""
