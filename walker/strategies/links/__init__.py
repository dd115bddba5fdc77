"""Scores links without a model, by their text and their position."""
