"""Who reviews what: by hand, by rule, from the queue; and reminders by e-mail."""
