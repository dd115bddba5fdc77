"""Which part of a page is text, and which is navigation or furniture."""
