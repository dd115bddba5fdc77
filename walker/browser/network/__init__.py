"""What pages send and receive: heard, recorded, and served again from a record."""
