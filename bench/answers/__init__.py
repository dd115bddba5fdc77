"""Questions about real sites that nobody tuned for, the sites themselves, and what checks and measures with them."""
