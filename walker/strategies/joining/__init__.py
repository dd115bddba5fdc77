"""Joins the answers to the parts of a question: computed from two values, or found one after the other."""
