"""Trains the vocabulary of perception/picture_search."""
