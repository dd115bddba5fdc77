"""Walks of a batch on the machines of a Ray cluster."""
