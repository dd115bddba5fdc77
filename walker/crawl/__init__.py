"""Scripted crawls of whole sites, through the same browsers as walks."""
