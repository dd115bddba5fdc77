"""Output files of a crawl: records as JSONL, CSV, Parquet or SQLite, and its traffic as WARC."""
