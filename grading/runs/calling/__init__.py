"""Endpoints as rows: what is called at which, within rate and budget, all of it kept."""
