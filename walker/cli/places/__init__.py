"""Places that options and arguments of commands name."""
