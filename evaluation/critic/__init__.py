"""How well a passage critic tells the passages that hold a question's evidence from all others."""
