"""Walker decides: it walks a site, asks, keeps, counts and answers."""
