"""Traces record: every step of a walk, so that it can be viewed, replayed, forked and compared."""
