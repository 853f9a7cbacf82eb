"""Tests of the grader; they need nothing of the application."""
