"""One open page: its isolated world, its view, settling, and failures."""
