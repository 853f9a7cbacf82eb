"""Writing: the editor, what it previews and stores, and submitting for review."""
