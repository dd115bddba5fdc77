"""An office file unpacked within limits, and what it is read into."""
