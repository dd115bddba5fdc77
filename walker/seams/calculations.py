"""What can be computed from the values of findings."""

from __future__ import annotations

from typing import Literal

Arithmetic = Literal["sum", "average", "difference", "ratio", "days_between", "months_between", "years_between"]
Choosing = Literal["more", "less", "earlier", "later"]
"""Which of the named things has most, least, comes first, last."""
Checking = Literal["is_more", "is_less", "is_at_least", "is_at_most", "is_equal"]
"""Yes or no, of the first value beside the second."""
CalculationName = Literal[Arithmetic, Choosing, Checking]
