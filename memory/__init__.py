"""Memory: the pages a walk has visited, its findings, and the symbolic counter."""
