"""From words to the element that they mean, and what pictures and text say about each other."""
