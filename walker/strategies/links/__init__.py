"""Which link to follow, without a model: scores of a link's text and place."""
