"""Many questions, several walks side by side."""
