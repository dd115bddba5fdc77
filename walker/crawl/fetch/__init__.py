"""Fetching: robots.txt, pace, retries, sitemaps, and the steps done on an open page."""
