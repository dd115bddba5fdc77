"""The library, its pure part: passages, the terms of a query, and the seam that stores them."""
