"""Pictures as arrays: decoding, cutting out, colours, numbered marks."""
