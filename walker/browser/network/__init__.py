"""Network traffic of pages: observed, recorded, and served again from a recording."""
