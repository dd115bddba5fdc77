"""A question taken apart, without a model: its parts, terms, hints and the kind of answer it wants."""
