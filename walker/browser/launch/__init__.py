"""Which Chromium there is, and how one process of it is started and shared."""
