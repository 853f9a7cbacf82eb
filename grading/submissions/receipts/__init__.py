"""Receipts: what a published row rests on, to be downloaded, kept, and verified later."""
