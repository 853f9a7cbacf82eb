"""What people say of the problems that they sat: how clear they are, and whether keys are right."""
