"""Perception: turns a page snapshot into an observation, and scores how well the page's text carries its meaning."""
