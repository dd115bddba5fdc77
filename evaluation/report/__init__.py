"""The report of an experiment: one self-contained page, and figures as PNG."""
