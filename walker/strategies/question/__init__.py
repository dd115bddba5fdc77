"""Parses a question without a model: its parts, terms, hints and answer type."""
