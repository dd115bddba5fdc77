"""Past check pages and logins: a fuller browser, and a person who is asked."""
