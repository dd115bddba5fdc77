"""Searches beyond a site: pages of our own in front of a browser, and services that find pages by words."""
