"""Fetching: robots.txt, rate limiting, retries, sitemaps, and script steps on an open page."""
