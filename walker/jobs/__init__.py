"""Work that outlasts a call, and what a server that does it has to check: addresses, tokens, limits, runs by their ids."""
