"""Grading: whether an answer is right, what decided it, and the class of an error."""
