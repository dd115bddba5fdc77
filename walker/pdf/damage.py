"""What pypdf raises on damaged files beside its own `PyPdfError`."""

from __future__ import annotations

UNEXPECTED = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    OSError,
)
"""A module that reads files catches `(PyPdfError, *UNEXPECTED)`."""
