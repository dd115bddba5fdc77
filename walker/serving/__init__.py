"""Walker as a service over HTTP: jobs, their events, recorded runs and a live picture (`docs/design/service.md`)."""
