"""What a crawl by many workers has beside its job: one pace for all, and the script that they share."""
