"""The reader: a small net that says whether a text answers a question, and where in it the answer stands."""
