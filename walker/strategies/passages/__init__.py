"""Which passages of found pages may help to answer a question, and answers from those."""
