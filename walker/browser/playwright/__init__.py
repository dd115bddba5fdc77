"""The Playwright driver: the browser of walks, its tabs and prefetching."""
