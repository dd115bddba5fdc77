"""Strategies: how a walk chooses its next page, reads it, and judges what it found; without a model, and with one."""
