"""The variants of an experiment: walks with every combination of modules, and workflows that do not walk."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from evaluation.shapley import Coalition, coalitions
from walker.errors import UsageError
from walker.settings import PAPER_THRESHOLD, Components, GateName, Settings, WorkflowName

MODULES = ("vision", "stack", "counter")
BASELINE = "baseline"
FULL = "all"


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One variant. `components` and `gate` apply to walks only."""

    name: str
    workflow: WorkflowName = "walk"
    components: Components = Components()
    gate: GateName = "walker"

    @property
    def modules(self) -> Coalition | None:
        """The modules that are switched on, None for a workflow that does not walk, or walks with another gate."""
        return modules_of(self.components) if self.workflow == "walk" and self.gate == "walker" else None

    def settings_of(self, settings: Settings) -> Settings:
        """An experiment's settings as this variant walks with them. The threshold of the paper's gate is the paper's: its score has
        another scale."""
        threshold = PAPER_THRESHOLD if self.gate == "paper" else settings.threshold
        return msgspec.structs.replace(settings, components=self.components, gate=self.gate, threshold=threshold)


def modules_of(components: Components) -> Coalition:
    """Names of the modules that are switched on."""
    on = {"vision": components.vision, "stack": components.url_stack, "counter": components.counter}
    return frozenset(name for name, is_on in on.items() if is_on)


def _walk_with(modules: Coalition) -> Variant:
    name = "+".join(module for module in MODULES if module in modules)
    return Variant(
        name={0: BASELINE, len(MODULES): FULL}.get(len(modules), name),
        components=Components(vision="vision" in modules, url_stack="stack" in modules, counter="counter" in modules),
    )


EIGHT = tuple(_walk_with(modules) for modules in coalitions(MODULES))
"""Walks in binary order of vision, stack, counter; the first, without modules, is the WebWalker baseline."""
PAPER_GATE = Variant(name="paper-gate", gate="paper")
"""All modules, and equation 1 of V-GEMS as the gate: to be compared with "all"."""
OTHERS = (
    Variant(name="direct", workflow="direct"),
    Variant(name="retrieval", workflow="retrieval"),
    Variant(name="agentic", workflow="agentic"),
)
"""The model alone; retrieval over the site's pages, then an answer; search and open in turns (SenseSearch)."""
NAMED = {variant.name: variant for variant in (*EIGHT, PAPER_GATE, *OTHERS)}


def read_variants(names: Sequence[str]) -> tuple[Variant, ...]:
    """The variants of these names; "eight" stands for all walks. Raises `UsageError` for an unknown name."""
    wanted = [inner for name in names for inner in ([one.name for one in EIGHT] if name == "eight" else [name])]
    unknown = next((name for name in wanted if name not in NAMED), None)
    if unknown is not None:
        known = ", ".join(("eight", *NAMED))
        raise UsageError(f'there is no variant "{unknown}"', where="--variant", advice=f"Choose from {known}")
    return tuple(NAMED[name] for name in dict.fromkeys(wanted))
