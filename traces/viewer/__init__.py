"""The viewer: recorded runs as a page in the browser, served locally, exported as static files, or as a single file."""
