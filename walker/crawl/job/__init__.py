"""A crawl job on disk: frontier, pages and items in one SQLite file."""
