"""Makes the reader of walker/strategies/reader; see README.md."""
