"""Pages without a browser: an HTTP client with size and time limits, and the driver that uses it."""
