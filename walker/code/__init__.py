"""Interpreters for a model's code, none of which is ours: it never runs in our process."""
