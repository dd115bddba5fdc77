"""Scripted crawls: a whole site, exactly, through the same browsers as a walk."""
