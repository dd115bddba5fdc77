"""What a walk may do with the picture of its question, and what it is taken to show."""
