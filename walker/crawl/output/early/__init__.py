"""Records that reach tables and stores while a crawl runs."""
