"""The way out: names resolved once, addresses checked, a proxy on loopback that dials only what was checked."""
