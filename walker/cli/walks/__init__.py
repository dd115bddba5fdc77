"""Commands that open pages: ask, crawl, look, demo, doctor, calibrate."""
