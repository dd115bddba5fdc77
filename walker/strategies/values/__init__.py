"""What a text states: numbers with their units, dates, times and versions, in the notations of six languages."""
