"""How German, French and Spanish questions are worded, where English needs no words for it."""
