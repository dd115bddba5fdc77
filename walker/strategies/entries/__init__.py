"""Which entries of a list a question means."""
