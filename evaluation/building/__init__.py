"""Building a dataset: a site becomes a tree, pages of the tree become questions, and every question is checked without a model."""
