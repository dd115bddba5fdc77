"""Names for controls that show an icon and no text."""
