"""Crawl scripts: parsing, validation, and their scope, patterns and selectors."""
