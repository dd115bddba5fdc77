"""Who summarises a page for a goal: its own sentences, or a language model."""
