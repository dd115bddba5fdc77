"""Is everything here that a walk needs? Checks of the installation, the browser, the model and the vision model."""
