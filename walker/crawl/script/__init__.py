"""Crawl scripts: read, checked, and the scope, patterns and selectors they state."""
