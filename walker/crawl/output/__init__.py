"""Files that a crawl leaves: records as JSONL, CSV, Parquet or SQLite, and its traffic as WARC."""
