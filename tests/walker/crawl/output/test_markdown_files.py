from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from walker.crawl.output.markdown_files import CHUNK_CHARS, passages_of, write_markdown_folder


def page(url: str, markdown: str, **more: Any) -> dict[str, Any]:
    return {"url": url, "title": "A “title”: one", "depth": 1, "fetched_at": 1.7e9, "markdown": markdown, **more}


def test_pages_are_files_by_their_paths_with_front_matter(tmp_path: Path) -> None:
    home = "https://example.org"
    pages = [
        page(f"{home}/", "# Home"),
        page(f"{home}/docs/guide.html", "# Guide"),
        page(f"{home}/docs/Guide", "# Another"),
        page(f"{home}/docs/?q=a/../b", "# Found"),
        page(f"{home}/%2e%2e/%2e%2e/etc/passwd", "# No"),
        {"url": f"{home}/report.pdf", "title": "no Markdown"},
    ]
    assert write_markdown_folder(tmp_path / "out", pages) == 5
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.md"))
    assert len(files) == 5
    assert {"out/index.md", "out/docs/guide.md", "out/docs/index-q-a-..-b.md", "out/etc/passwd.md"} <= set(files)
    _, front, text = (tmp_path / "out" / "index.md").read_text(encoding="utf-8").split("---\n")
    assert yaml.safe_load(front) | {"fetched": ""} == {
        "url": f"{home}/",
        "title": "A “title”: one",
        "depth": 1,
        "fetched": "",
    }
    assert text.strip() == "# Home"


def test_passages_stand_under_their_headings_and_keep_code_whole() -> None:
    code = "```\nfirst\n\n# no heading\n```"
    long = "\n\n".join(["word " * 80] * 6)
    found = list(passages_of([page("https://e.org/", f"# A\n\nOne.\n\n## B\n\nTwo.\n\n{code}\n\n## C\n{long}")]))
    assert [(one["headings"], one["number"]) for one in found][:2] == [(["A"], 0), (["A", "B"], 1)]
    assert found[1]["text"] == f"Two.\n\n{code}"
    assert all(one["headings"] == ["A", "C"] for one in found[2:])
    assert len(found) > 3
    assert all(len(one["text"]) <= CHUNK_CHARS + 20 for one in found)
    assert "".join(one["text"] for one in found[2:]).count("word") == 480
