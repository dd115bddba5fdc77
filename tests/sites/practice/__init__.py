"""Replicas of the kinds of sites that people made for trying crawlers: generated pages of our own text, known truth."""
