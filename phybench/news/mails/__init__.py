"""E-mails about what happened: of which kind, to whom, at once or once a day, and never twice."""
