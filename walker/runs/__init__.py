"""Tools on recorded walks: replay, fork, verify, compare, explain, shrink, export."""
