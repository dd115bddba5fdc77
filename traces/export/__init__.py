"""A run in the forms that other programs read; each is a function of what was recorded, one module a form."""
