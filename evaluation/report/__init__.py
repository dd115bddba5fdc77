"""The report of an experiment: one page that needs nothing else, and figures as PNG."""
