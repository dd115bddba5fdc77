"""A run on disk: log, blobs, locks, integrity, packing."""
