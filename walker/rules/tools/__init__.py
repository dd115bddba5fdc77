"""Rules of the tools that a user switches on: code, and where an element is."""
