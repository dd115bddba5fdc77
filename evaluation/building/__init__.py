"""Dataset construction: a site is crawled into a tree, questions are written from its pages, and checked without a model."""
