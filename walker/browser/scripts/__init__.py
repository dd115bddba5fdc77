"""Scripts that run inside pages."""
