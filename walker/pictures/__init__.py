"""Pictures of pages: where they stand, what they are found by, and services that find pictures."""
