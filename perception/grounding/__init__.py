"""Grounding: finds the element that a phrase means, and compares OCR text with the DOM."""
