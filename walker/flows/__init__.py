"""Walks as scripts: written from recordings, played without a model, healed by proposals."""
