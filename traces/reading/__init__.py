"""Recorded runs read back, at any moment and after any crash: events, steps, streams, the list of runs, leaks."""
