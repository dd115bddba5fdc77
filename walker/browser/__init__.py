"""Browsers: what opens the pages of a walk."""
