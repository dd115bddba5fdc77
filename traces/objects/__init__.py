"""Objects in a folder or in an S3 store, by one protocol."""
