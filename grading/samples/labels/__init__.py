"""What people say of single answers: on pages, or elsewhere and brought in files."""
