"""Crawler traps: URL templates, branches, and the rule by which a branch is cut."""
