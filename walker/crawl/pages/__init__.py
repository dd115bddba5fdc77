"""Parsing and storing of fetched pages: links, text, items, files."""
