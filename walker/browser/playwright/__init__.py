"""Chromium through Playwright: the browser of walks, its tabs and its prefetching."""
