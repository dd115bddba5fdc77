"""How a page is shown to a language model."""
