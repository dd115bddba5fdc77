"""Recording and replay at the edges: every answer of an edge passes here, live or from the recording."""
