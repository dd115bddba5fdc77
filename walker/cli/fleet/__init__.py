"""Commands on crawls of many workers."""
