"""Traces: recordings of walks, and the tools to view, replay, fork, compare and export them."""
