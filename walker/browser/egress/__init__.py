"""Egress control: each name is resolved once, its addresses are checked, and a proxy on loopback connects only to checked ones."""
