"""Words the parts of a question as questions of their own, in the language in which it is asked."""
