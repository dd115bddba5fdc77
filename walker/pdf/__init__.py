"""PDF files: their text for a crawl, and as pages for a walk."""
