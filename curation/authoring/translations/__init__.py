"""Statements and solutions in another language: who writes and checks them, who reads which."""
