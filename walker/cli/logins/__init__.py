"""Commands on saved logins."""
