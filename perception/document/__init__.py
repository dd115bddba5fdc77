"""From HTML to an observation: one parse, one walk over the tree."""
