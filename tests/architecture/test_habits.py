from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.source_reader import reads_trees
from tests.architecture.source_tree import ROOT, Module, modules

PURE = ("memory", "perception")
PURE_ROOM = "walker.rules."
WORLD = frozenset(
    """
    time datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow datetime.date.today
    random secrets uuid numpy.random os.urandom
    socket ssl select http urllib.request ftplib smtplib httpx2 requests openai playwright selenium
    subprocess multiprocessing
    os io.open io.FileIO open tempfile shutil glob sqlite3 mmap fileinput
    """.split()
)
"""Clock, chance, network, processes, disk: modules and their functions."""
ON_DISK = frozenset(
    """
    open read_text read_bytes write_text write_bytes is_file is_dir exists iterdir glob rglob stat unlink mkdir touch rename
    """.split()
)
"""What a path is asked, whatever the variable is called."""
LOAD_MODELS = {
    "memory.embedding.word_vectors": "its vectors lie in a package",
    "perception.icons.icon_reader": "its network and vocabulary lie in the package",
    "perception.local_model.genai_folder": "the folder of a model that a person named",
    "perception.local_model.model_folder": "the same in another layout",
    "perception.local_model.prompt_text": "the tokenizer of such a folder",
    "perception.picture_search.encoder": "the folder of an encoder that a person named",
    "perception.picture_search.visual_words": "its vocabulary lies in the package",
    "perception.ocr.onnx_models": "the networks of OCR lie in a package",
    "perception.ocr.paddle_engine": "the table of these networks",
}
"""Modules that read files, once, before there is a page: what they read is part of the program."""
SWITCHES = {"perception.ocr.onnx_models": frozenset(("os", "os.putenv"))}
"""Modules that set a switch which a library reads from the environment when it is imported: telemetry off."""


def is_cli(module: Module) -> bool:
    return module.name.startswith("walker.cli") or module.name == "walker.__main__"


@reads_trees
def test_only_the_command_line_prints() -> None:
    printing = [
        module.where(node)
        for module in modules()
        if not is_cli(module)
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert printing == []


@reads_trees
def test_only_the_command_line_reads_the_environment() -> None:
    reading = [
        module.where(node)
        for module in modules()
        if not is_cli(module)
        for node in module.nodes
        if isinstance(node, ast.Attribute)
        and node.attr in ("environ", "getenv")
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
        and not isinstance(node.ctx, ast.Store)
    ]
    assert reading == []


@reads_trees
def test_pure_code_has_no_clock_no_chance_no_network_and_no_disk() -> None:
    touching = {module: list(touched(module.tree)) for module in modules() if is_pure(module)}
    impure = [
        f"{module.where(node)} {name}"
        for module, found in touching.items()
        if module.name not in LOAD_MODELS
        for name, node in found
    ]
    assert impure == []
    readers = {module.name for module, found in touching.items() if found}
    assert readers == set(LOAD_MODELS), "reads no file any more: take it from the table"


@reads_trees
def test_those_that_load_models_touch_nothing_else() -> None:
    impure = [
        f"{module.where(node)} {name}"
        for module in modules()
        if module.name in LOAD_MODELS
        for name, node in touched(module.tree)
        if name not in ON_DISK | SWITCHES.get(module.name, frozenset())
    ]
    assert impure == []


@pytest.mark.parametrize(
    "code",
    [
        "import time",
        "from urllib import request",
        "import urllib\nurllib.request.urlopen('x')",
        "import http.client as client",
        "from datetime import datetime\nstarted = datetime.now()",
        "import datetime as d\nd.date.today()",
        "import numpy as np\nnp.random.rand()",
        "def f():\n    from os import path",
        "text = open('x').read()",
        "text = place.read_text()",
    ],
)
def test_a_touch_of_the_world_is_seen(code: str) -> None:
    assert list(touched(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "from urllib.parse import urlsplit\nurlsplit('x')",
        "from datetime import datetime\ndatetime(2026, 1, 1)",
        "from io import BytesIO\nBytesIO(b'')",
        "import numpy as np\nnp.zeros(3)",
    ],
)
def test_plain_values_are_no_touch_of_the_world(code: str) -> None:
    assert list(touched(ast.parse(code))) == []


def is_pure(module: Module) -> bool:
    return module.package in PURE or module.name.startswith(PURE_ROOM)


def touched(tree: ast.AST) -> Iterator[tuple[str, ast.stmt | ast.expr]]:
    """What of the world code imports or uses, by its full name, under whatever name it has it."""
    full: dict[str, str] = {"open": "open"}
    for bound, name, statement in _imports(tree):
        full[bound] = name
        if _is_world(name):
            yield name, statement
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and _is_world(name := _full_name(node, full)):
            yield name, node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ON_DISK:
            yield node.func.attr, node


def _imports(tree: ast.AST) -> Iterator[tuple[str, str, ast.stmt]]:
    """What each import binds, and the full name of that; `import a.b` binds a, and brings a.b too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}", node) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name, node) for alias in node.names)
            heads = [alias.name.partition(".")[0] for alias in node.names if not alias.asname]
            yield from ((head, head, node) for head in heads)


def _is_world(name: str) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:end]) in WORLD for end in range(1, len(parts) + 1))


def _full_name(node: ast.expr, full: dict[str, str]) -> str:
    """Dotted name of an attribute of something imported, "" for anything else."""
    match node:
        case ast.Name(id=name):
            return full.get(name, "")
        case ast.Attribute(value=value, attr=attr) if inner := _full_name(value, full):
            return f"{inner}.{attr}"
        case _:
            return ""


@reads_trees
def test_broad_handlers_are_few() -> None:
    broad = [
        module.where(node)
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _raises_again(node)
    ]
    assert len(broad) <= 3, broad
    assert sum(module.text.count("noqa: BLE001") for module in modules()) <= 3


@reads_trees
def test_public_names_are_documented() -> None:
    undescribed = [module.name for module in modules() if not ast.get_docstring(module.tree)]
    assert [name for name in undescribed if not name.endswith("__main__")] == []
    bare = [
        f"{module.where(node)} {node.name}"
        for module in modules()
        for node in _public(module.tree.body)
        if not ast.get_docstring(node)
    ]
    assert bare == []


@reads_trees
def test_a_docstring_says_more_than_the_name() -> None:
    echoes = [
        f"{module.where(node)} {node.name}"
        for module in modules()
        for node in _public(module.tree.body)
        if _words(ast.get_docstring(node) or "") == _words(node.name.replace("_", " "))
    ]
    assert echoes == []


Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _public(body: list[ast.stmt]) -> Iterator[Definition]:
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
            continue
        # The signatures of an overloaded function have the description of the function itself.
        if not any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list):
            yield node


def _words(text: str) -> list[str]:
    return [word.strip(".,").lower() for word in text.split() if word.lower() not in ("a", "an", "the")]


def _raises_again(handler: ast.ExceptHandler) -> bool:
    """The very error goes on, whatever it is: nothing is lost."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def _is_broad(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(one, ast.Name) and one.id in ("Exception", "BaseException") for one in kinds)


@reads_trees
def test_nothing_waits_by_what_may_lose_a_cancellation() -> None:
    # `asyncio.wait_for` of Python 3.11 returns the result of what ended in the same moment in which it was cancelled, and a command
    # that was interrupted goes on. `asyncio.timeout` does not.
    waiting = [
        module.where(node)
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Attribute) and node.attr == "wait_for" and ast.unparse(node.value) == "asyncio"
    ]
    assert waiting == []


SERVERS = {
    "tests/sites/serving.py": "the server of all sites that tests make",
    "tests/sites/over_tls.py": "puts it behind TLS",
    "tests/walker/cli/test_no_telemetry.py": "a program in a network of its own",
}


def test_sites_of_tests_are_served_by_one_server() -> None:
    own = re.compile(r"^(?:from http\.server import|import http\.server)", re.MULTILINE)
    tests = (ROOT / "tests").rglob("*.py")
    assert {str(path.relative_to(ROOT)) for path in tests if own.search(path.read_text("utf-8"))} == set(SERVERS)
