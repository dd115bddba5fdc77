"""How answers, runs and comparisons look in a notebook."""
