"""Parsers of untrusted files run in processes of their own, within limits."""
