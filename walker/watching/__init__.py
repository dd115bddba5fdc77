"""Asking, playing or crawling again on a schedule: what changed, kept in a history, and told to others."""
