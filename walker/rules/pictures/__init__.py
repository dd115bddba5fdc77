"""Which pictures of a page a question means, which may hold more than its text says, and what of them is drawn."""
