"""Whether an answer is right, who says so, and what kind of wrong it is."""
