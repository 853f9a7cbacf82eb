"""Timed sessions of people who take part in a study: what they are asked, and all they write."""
