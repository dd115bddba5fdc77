"""Endless parts of a site: templates of addresses, branches, and the one rule that gives a branch up."""
