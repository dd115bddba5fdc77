"""The vocabulary of a walk: the protocols of its edges and the values that pass through them."""
