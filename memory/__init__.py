"""Memory remembers: where the walk has been, what it found, and how many."""
