"""Who makes what a walk or a crawl meets the world with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import Module, imported, modules

PROTOCOLS = "walker.seams.protocols"
ASSEMBLIES = {
    "walker.assembly": "of walks",
    "walker.strategies.strategy_assembly": "of explorer and critic with a model",
    "walker.workflows.workflow_assembly": "of workflows",
    "walker.vision.model_source": "of the models of built-in vision",
    "walker.strategies.summaries.choosing_summariser": "of summaries",
    "walker.handover.live_person": "of who is asked",
    "walker.crawl.crawl_browsers": "of crawls",
}
ALSO_MADE_BY = {
    (
        "walker.doctor.model_trial",
        "OpenAICompatible",
    ): "tries one endpoint, without the meter of a walk",
    ("walker.doctor.model_trial", "ModelCritic"): "asks it what a walk asks of a page, and walks nowhere",
    ("walker.doctor.model_trial", "BuiltinCritic"): "stands behind that one as in a walk",
    ("walker.doctor.model_trial", "OneCall"): "the same call as in a walk",
    ("walker.doctor.vision_trial", "OpenAICompatible"): "the same of a vision model",
    ("walker.doctor.vision_trial", "LocalChat"): "the same of one on this machine",
    ("walker.logins.signing_in", "BrowserKinds"): "logs in before there is a walk, and walks nowhere",
    ("walker.logins.signing_in", "PlaywrightBrowser"): "the same",
    ("walker.logins.signing_in", "EgressProxy"): "the same",
    ("walker.logins.signing_in", "LiveReader"): "reads one page, to see whether a login still is one",
    ("walker.doctor.model_trial", "RetryingChat"): "a trial asks again where a walk would",
    ("walker.runs.replay", "LiveReader"): "a deep replay reads recorded pages anew, and has no other live edge",
    ("walker.runs.replay", "RecordedChat"): "a deep replay asks the record where a walk asks the model",
    (
        "walker.runs.shrinking.rehearsal",
        "LiveReader",
    ): "a rehearsal reads the pages of its case, and has no other live edge",
    (
        "walker.session.live_session",
        "LiveReader",
    ): "a session reads its pages by itself, and decides nothing about them",
    ("walker.session.live_session", "RecordedChat"): "the model of an extraction stands behind the recording",
    ("walker.session.one_page", "BuiltinCritic"): "an extraction has a place for it, and asks it nothing",
    ("walker.session.recorded_session", "LiveReader"): "a deep replay of a session, as of a walk",
    ("walker.session.recorded_session", "RecordedChat"): "the same",
    ("walker.finding.polite_site", "HttpClient"): "the scout's way to a site, which is made with the first search",
    ("walker.finding.polite_site", "HttpBrowser"): "the same, for its pages",
    ("walker.pictures.picture_service", "HttpClient"): "asks one service that a person named, and opens no page",
    ("walker.watching.telling", "HttpClient"): "posts to one address that a person named, and opens no page",
    (
        "walker.flows.play_run",
        "RecordedChat",
    ): "the model of a play stands behind its recording, and behind no strategy",
    ("walker.search.json_search", "HttpClient"): "the way to one service, loaded where a walk has one",
    (
        "evaluation.building.picture_set.picture_files",
        "HttpClient",
    ): "fetches pictures that a harvest has read or a set names, and opens no page",
}
"""Edges that are made outside an assembly on purpose, and why. Whoever else needs one asks `WalkResources`."""


@reads_trees
def test_only_the_assemblies_make_edges() -> None:
    edges = edge_names()
    made = {
        (module.name, name)
        for module in modules()
        if module.name not in ASSEMBLIES and not module.name.startswith("walker.browser.")
        for name in constructed(module)
        if name in edges and defined()[name] != module.name
    }
    assert sorted(made - set(ALSO_MADE_BY)) == []
    assert sorted(set(ALSO_MADE_BY) - made) == [], "made there no more: take it from the table"


@reads_trees
def test_the_assemblies_make_an_edge_of_every_kind() -> None:
    """Else the names above are not what a walk consists of."""
    edges = edge_names()
    kinds = {kind: {name for name in edges if methods <= methods_of(name)} for kind, methods in protocols().items()}
    # Of events there are two sinks, the recorder and the progress, and no walk asks them anything.
    assert {kind for kind, names in kinds.items() if not names} == {"TraceSink"}
    assert {"PlaywrightBrowser", "SeleniumBrowser", "HttpBrowser"} <= kinds["Browser"]


@cache
def edge_names() -> frozenset[str]:
    """Classes that the assemblies construct and that implement a protocol of the seams, or drive a browser."""
    return frozenset(
        name
        for module in modules()
        if module.name in ASSEMBLIES
        for name in constructed(module)
        if defined()[name].startswith("walker.browser.")
        or any(methods <= methods_of(name) for methods in protocols().values())
    )


@cache
def defined() -> dict[str, str]:
    """Module of every class of ours that has more than values, by the class's name."""
    return {node.name: module.name for module, node in _classes() if _own_methods(node)}


@cache
def protocols() -> dict[str, frozenset[str]]:
    """Methods of each protocol of the seams, the inherited ones included."""
    (source,) = (module for module in modules() if module.name == PROTOCOLS)
    return {
        node.name: methods_of(node.name)
        for node in source.tree.body
        if isinstance(node, ast.ClassDef) and "Protocol" in _bases(node)
    }


@cache
def methods_of(name: str) -> frozenset[str]:
    """Public methods of a class of ours, the inherited ones included."""
    found: set[str] = set()
    for _, node in _classes():
        if node.name == name:
            found |= _own_methods(node)
            found.update(*(methods_of(base) for base in _bases(node) if base != name))
    return frozenset(found)


def constructed(module: Module) -> Iterator[str]:
    """Classes of ours that a module calls, or calls a class method of; by the names it imports or defines them under."""
    named = {alias.asname or alias.name: alias.name for _, node in imported(module) for alias in _aliases(node)}
    own = {node.name: node.name for node in module.tree.body if isinstance(node, ast.ClassDef)}
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)) if (named | own).get(name) in defined():
                yield (named | own)[name]
            case ast.Attribute(attr=name) if name in defined():
                yield name  # of a module that is imported late


def _classes() -> Iterator[tuple[Module, ast.ClassDef]]:
    for module in modules():
        yield from ((module, node) for node in module.tree.body if isinstance(node, ast.ClassDef))


def _own_methods(node: ast.ClassDef) -> set[str]:
    functions = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    return {one.name for one in functions if not one.name.startswith("_")}


def _bases(node: ast.ClassDef) -> list[str]:
    return [base.id for base in node.bases if isinstance(base, ast.Name)]


def _aliases(node: ast.stmt) -> list[ast.alias]:
    return node.names if isinstance(node, ast.ImportFrom) else []
