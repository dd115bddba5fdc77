"""How much a page may ask of us, and how much of it is told."""

DIALOGS_A_PAGE = 20
"""A page that opens more is stopped."""
DIALOGS_NOTED, NOTICES_A_PAGE = 3, 50
