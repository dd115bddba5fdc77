"""Minds: how a walk chooses its way and reads what it finds."""
