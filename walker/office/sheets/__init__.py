"""Workbooks and other tables: their cells as they are shown."""
