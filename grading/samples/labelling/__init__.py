"""Samples of answers that two people label blind to each other, whatever they are asked."""
