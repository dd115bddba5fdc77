"""A job in Postgres that many workers crawl at once."""
