"""Fakes that ship with the product: a site on paper, scripted models, and a model endpoint that misbehaves on cue."""
