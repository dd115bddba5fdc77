from __future__ import annotations

import pytest

from evaluation.experiment.variants import BASELINE, EIGHT, FULL, MODULES, read_variants
from evaluation.shapley import coalitions
from walker.errors import UsageError
from walker.settings import Components, Settings


def test_the_eight_walks_are_all_combinations_in_binary_order() -> None:
    assert [variant.modules for variant in EIGHT] == list(coalitions(MODULES))
    assert len({variant.components for variant in EIGHT}) == 8
    assert (EIGHT[0].name, EIGHT[-1].name) == (BASELINE, FULL)
    assert EIGHT[0].components == Components(vision=False, url_stack=False, counter=False)
    assert [variant.name for variant in EIGHT[1:-1]] == [
        "counter", "stack", "stack+counter", "vision", "vision+counter", "vision+stack",
    ]  # fmt: skip


def test_variants_are_named_once_and_eight_stands_for_all_walks() -> None:
    assert read_variants(["all", "eight", "direct"])[0] == EIGHT[-1]
    assert len(read_variants(["all", "eight", "direct"])) == 9
    assert read_variants(["direct"])[0].modules is None


def test_the_papers_gate_is_a_variant_beside_the_eight_with_a_threshold_of_its_own() -> None:
    ours, paper = read_variants(["all", "paper-gate"])
    settings = Settings(seed="s", threshold=45.0, components=Components(counter=False))
    assert paper.settings_of(settings) == Settings(seed="s", threshold=60.0, gate="paper")
    assert ours.settings_of(settings) == Settings(seed="s", threshold=45.0)
    # The contribution of a module is that of ours: another gate is in no coalition.
    assert paper.modules is None
    assert ours.modules == frozenset(MODULES)
    assert "paper-gate" not in {variant.name for variant in EIGHT}


def test_a_variant_that_there_is_not_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r'no variant "everything".*eight, baseline'):
        read_variants(["everything"])
