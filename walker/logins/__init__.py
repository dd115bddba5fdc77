"""Saved logins: kept for a user, and given to walks and crawls."""
