"""What is read and kept of a fetched page: links, text, items, files."""
