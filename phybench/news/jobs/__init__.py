"""Long actions: a worker carries them out, and a page shows how far each is."""
