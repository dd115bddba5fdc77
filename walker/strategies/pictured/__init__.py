"""Questions about pictures: their subject, and the question with its name in place of "this"."""
