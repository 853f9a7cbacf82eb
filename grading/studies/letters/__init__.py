"""E-mails about studies: invitations, and reminders to those who have not started."""
