"""Browser drivers, the HTTP client, and the egress proxy."""
