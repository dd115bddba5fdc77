"""Fitting the gate to a user's own pages."""
