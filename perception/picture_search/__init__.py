"""Finding the same picture, or a part of it, again: features without weights, a first pass over many, and a check of the geometry."""
