"""The demo: a small institute's site, a server for it, and five questions to ask it."""
