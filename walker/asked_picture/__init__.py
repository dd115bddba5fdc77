"""The picture that a question is about: read, kept without its metadata, and drawn for the first page of a walk."""
