"""What people fill in to hand answers in, to set endpoints up, and to have answers judged."""
