"""The symbolic counter, and what a question asks it to count."""
