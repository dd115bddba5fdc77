"""Vision models: what they are sent, how they say where something is, and the model at an endpoint."""
