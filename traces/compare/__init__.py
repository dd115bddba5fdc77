"""Two recorded walks compared: alignment, first difference, requests that nearly match."""
