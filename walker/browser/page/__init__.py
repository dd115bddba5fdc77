"""One open page: its isolated world, its view, when it has settled, what fails on it."""
