"""One step of a walk: the loop, its stages in the order in which a page passes them, and the state that they hand on."""
