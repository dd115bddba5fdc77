"""Commands on libraries: no page is opened, and no run is needed."""
