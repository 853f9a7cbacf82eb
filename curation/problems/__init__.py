"""Problems and their revisions: rows, history, the checks of a text, and what resembles what."""
