"""Every example of docs/crawl-scripts.md is read, and every key of a script stands in one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from walker.crawl.script.spec_loader import read_script, spec_schema
from walker.crawl.script.spec_problems import BadScript

DOCUMENT = (Path(__file__).parents[3] / "docs" / "crawl-scripts.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w[\w ]*)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
YAML = [text for kind, text in BLOCKS if kind == "yaml"]
ENVIRONMENT = dict.fromkeys(("SITE_USER", "SITE_PASSWORD", "API_KEY", "PROXY_USER", "PROXY_PASSWORD"), "secret")


@pytest.mark.parametrize("text", YAML)
def test_every_example_is_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("site.yaml").write_text(text, encoding="utf-8")
    assert read_script(Path("site.yaml"), ENVIRONMENT).spec.start


def test_the_example_in_python_is_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [text] = [text for kind, text in BLOCKS if kind == "python"]
    Path("site.py").write_text(text, encoding="utf-8")
    script = read_script(Path("site.py"), {})
    assert script.spec.counter.target == 100
    assert script.functions.items
    assert script.functions.follow


def test_the_bad_example_is_refused_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [bad] = [text for kind, text in BLOCKS if kind == "yaml bad"]
    [lines] = [text for kind, text in BLOCKS if kind == "text"]
    Path("site.yaml").write_text(bad, encoding="utf-8")
    with pytest.raises(BadScript) as error:
        read_script(Path("site.yaml"), {})
    assert str(error.value) == lines.strip()


def test_every_key_and_every_choice_is_in_an_example() -> None:
    schema = spec_schema()
    prose = re.sub(r"^```.*?^```$", "", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    shown = "\n".join(YAML + re.findall(r"`([^`]+)`", prose))
    names = {name for part in (schema, *schema["$defs"].values()) for name in part["properties"]}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}:", shown)] == []
    choices = {str(one) for one in choices_in(schema) if one}
    assert [one for one in sorted(choices) if not re.search(rf"\b{re.escape(one)}\b", shown)] == []


def choices_in(schema: Any) -> list[Any]:
    if isinstance(schema, list):
        return [one for inner in schema for one in choices_in(inner)]
    if not isinstance(schema, dict):
        return []
    return [*schema.get("enum", []), *(one for inner in schema.values() for one in choices_in(inner))]
