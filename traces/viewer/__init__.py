"""A recorded run as a page in the browser: what the page needs, served on this machine, as plain files, or in one file."""
