"""Libraries of passages: filled by crawls, walks and files, searched, and walked without a network."""
