"""Files that are read as pages: which they are, and the page made from one."""
