"""What people do: one verb, one transaction, one event in the history."""
