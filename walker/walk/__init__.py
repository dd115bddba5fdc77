"""One step of a walk, all of it: the loop, its stages in the order in which a page passes them, and the state they hand on."""
