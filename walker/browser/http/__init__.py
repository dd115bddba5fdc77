"""Pages without a browser: a bounded HTTP client, and the driver that reads pages through it."""
