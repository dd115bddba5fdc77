"""Checks of the installation, the browser, the model and the vision model."""
