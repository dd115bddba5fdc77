"""Decides which pages need a browser, for `driver: auto`."""
