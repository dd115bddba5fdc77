"""Lines for training, written and loaded with the libraries of trainers."""
