"""Commands on recorded runs: replay, verify, diff, why, whatif, shrink, export, view and others."""
