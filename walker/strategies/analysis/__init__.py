"""Who says what a question asks for: rules, or a model with rules behind it."""
