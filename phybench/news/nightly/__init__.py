"""The look at all rows that is taken once a day, and who is told what it found."""
