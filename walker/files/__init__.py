"""Files that this process shares with others or writes for a user."""
