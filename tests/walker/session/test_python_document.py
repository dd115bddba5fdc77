"""The examples of docs/python.md run, and name what exists."""

from __future__ import annotations

import ast
import re
import sys
from types import ModuleType

import pytest

import walker
from tests.architecture.source_tree import ROOT
from tests.walker.session.shop import serve_shop

TEXT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
PROGRAM = next(block for block in BLOCKS if "asyncio.run" in block)


def test_each_example_is_python_and_calls_what_a_session_has() -> None:
    assert len(BLOCKS) > 3
    for block in BLOCKS:
        tree = ast.parse(block)
        called = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "session"
        }
        assert [name for name in called if not hasattr(walker.Session, name)] == []


@pytest.mark.usefixtures("kept_chromium")
async def test_the_program_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    example = ModuleType("example")
    monkeypatch.setitem(sys.modules, "example", example)
    exec(compile(PROGRAM.rpartition("asyncio.run(")[0], "python.md", "exec"), example.__dict__)
    with serve_shop() as (shop, home):
        await example.main(home)
    told = capsys.readouterr().out
    assert "Product(price=12.5, colour='red') Price 12.50 EUR" in told
    assert "12.50 EUR runs" in told
    assert shop.posted == []
