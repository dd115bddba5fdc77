"""Which pages need a browser, under `driver: auto`."""
