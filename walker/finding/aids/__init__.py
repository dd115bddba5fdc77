"""Finding aids of a site, read as data: each reader is a pure function from bytes to the pages that they name."""
