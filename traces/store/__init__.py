"""A run on disk: log, blobs, locks, integrity checks, zip files."""
