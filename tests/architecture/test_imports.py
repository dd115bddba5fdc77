from __future__ import annotations

import ast

import networkx

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import PACKAGES, imported, modules

MAY_IMPORT = {
    "memory": {"memory"},
    "perception": {"perception"},
    "traces": {"traces"},
    "walker": {"walker", "memory", "perception", "traces"},
    "evaluation": {"evaluation", "walker", "memory", "perception", "traces"},
}


@reads_trees
def test_there_is_source_to_look_at() -> None:
    assert {module.package for module in modules()} == set(PACKAGES)
    assert len(modules()) > 30


@reads_trees
def test_imports_point_one_way() -> None:
    wrong = [
        f"{module.where(node)} imports {name}"
        for module in modules()
        for name, node in imported(module)
        if name.split(".")[0] in PACKAGES and name.split(".")[0] not in MAY_IMPORT[module.package]
    ]
    assert wrong == []


@reads_trees
def test_there_are_no_import_cycles() -> None:
    names = {module.name for module in modules()}
    graph = networkx.DiGraph(
        (module.name, name)
        for module in modules()
        for name, _ in imported(module)
        if name in names and name != module.name
    )
    assert list(networkx.simple_cycles(graph)) == []


@reads_trees
def test_no_import_is_relative() -> None:
    relative = [
        module.where(node)
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@reads_trees
def test_functions_import_nothing_of_ours() -> None:
    local = [
        module.where(node)
        for module in modules()
        for function in module.functions()
        for name, node in imported(module, function)
        if name.split(".")[0] in PACKAGES
    ]
    assert local == []


@reads_trees
def test_the_loop_knows_of_records_nothing_but_their_events() -> None:
    by_name = {module.name: module for module in modules()}
    behind, waiting = set[str](), ["walker.walk.loop"]
    while waiting:
        name = waiting.pop()
        if name in by_name and name not in behind:
            behind.add(name)
            waiting += [imported_name for imported_name, _ in imported(by_name[name])]
    assert {name for name in behind if name.startswith(("traces.", "walker.recording"))} == {
        "traces.events",
        "traces.event_base",
        "traces.session_events",
        "traces.notebooks.table",  # as which an outcome is shown
        "traces.compare.difference",  # of an error that says how a replay differs
        "traces.store.atomic_file",  # by which a login is kept
    }
