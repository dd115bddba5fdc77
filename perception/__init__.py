"""Perception sees: a snapshot becomes an observation, and an observation an understanding score."""
