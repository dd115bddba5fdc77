"""Lists of a page in other forms than those of its markup."""
