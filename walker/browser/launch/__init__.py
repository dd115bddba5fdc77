"""Finds, starts and shares a Chromium process."""
