"""Figures from grades: rates, how sure they are, what they cost, each for every slice of the questions."""
