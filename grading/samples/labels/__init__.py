"""Labels that people gave elsewhere, brought in files."""
