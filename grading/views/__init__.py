"""Pages for handing answers in, reading their grades, judging them, and the board."""
