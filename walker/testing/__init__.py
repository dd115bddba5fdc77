"""Fakes that ship with the product: a site in memory, scripted models, and a model endpoint that can be made to fail."""
