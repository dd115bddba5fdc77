"""Exact Shapley values: the average contribution of each module over all orders of switching the modules on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import factorial

Coalition = frozenset[str]
"""A set of modules that are switched on."""

MODULES_AT_MOST = 20
"""2^20 coalitions; more would take minutes, and cannot be run anyway."""


def shapley_values(modules: Sequence[str], worth: Mapping[Coalition, float]) -> dict[str, float]:
    """The Shapley value of each module, in the order given; they add up to the value of all modules minus that of none.

    `worth` is the value of every coalition of the modules, including the empty one. For three modules this is equation 2 of
    V-GEMS without its factor of 1,000. Raises `ValueError` naming a missing coalition.
    """
    if len(set(modules)) != len(modules):
        raise ValueError("a module is named twice")
    if len(modules) > MODULES_AT_MOST:
        raise ValueError(f"{len(modules)} modules are too many; at most {MODULES_AT_MOST}")
    missing = next((coalition for coalition in coalitions(modules) if coalition not in worth), None)
    if missing is not None:
        raise ValueError(f"the worth of {', '.join(sorted(missing)) or 'no module'} is not known")
    return {module: _value(module, [other for other in modules if other != module], worth) for module in modules}


def coalitions(modules: Sequence[str]) -> tuple[Coalition, ...]:
    """All 2^n, in binary order with the first module as the highest digit: none, the last alone, ... all."""
    count = len(modules)
    return tuple(
        frozenset(module for place, module in enumerate(modules) if number >> (count - 1 - place) & 1)
        for number in range(2**count)
    )


def _value(module: str, others: list[str], worth: Mapping[Coalition, float]) -> float:
    count = len(others) + 1
    total = 0.0
    for size in range(count):
        share = factorial(size) * factorial(count - size - 1) / factorial(count)
        for chosen in combinations(others, size):
            before = frozenset(chosen)
            total += share * (worth[before | {module}] - worth[before])
    return total
