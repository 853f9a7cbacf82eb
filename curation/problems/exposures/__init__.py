"""The ledger of who was shown which part of a revision, when and why."""
