"""`walker eval critic` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluation.cli.group import eval_group
from memory.library.protocol import NewPage, PageLine
from walker.library.library_file import LibraryFile

LINES = (
    "Opening hours",
    "The diving pool is 4.5 metres deep.",
    *(f"News of week {week} of the hall." for week in range(90)),
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    library = LibraryFile.write(tmp_path / "hall.library")
    lines = tuple(PageLine(text=line) for line in LINES)
    library.add(NewPage(url="https://a.example/pool", title="Swimming hall", lines=lines))
    library.close()
    asked = {"question": "How deep is the diving pool?", "answers": ["4.5 metres"], "root": "pool", "site": "hall"}
    asked |= {"sources": ["pool"], "language": "en"}
    questions = [
        {"id": "deep", **asked, "evidence": ["diving pool is 4.5 metres deep"]},
        {"id": "bare", **asked},
    ]
    dataset = tmp_path / "qa.jsonl"
    dataset.write_text("".join(json.dumps(one) + "\n" for one in questions))
    return str(dataset), str(tmp_path / "hall.library")


def _run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(eval_group, ["critic", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_it_prints_the_figures_with_the_published_ones_beside(files: tuple[str, str], tmp_path: Path) -> None:
    dataset, library = files
    out, lines = tmp_path / "report", tmp_path / "critic.jsonl"
    code, shown, said = _run(
        dataset, "--library", library, "--site", "hall=https://a.example/", "--pages", "5", "--threshold", "0.1",
        "--answers", "--out", str(out), "--lines", str(lines),
    )  # fmt: skip
    assert code == 0, said
    assert "1.000" in shown
    assert "Other questions, other models" in shown
    assert "ReAG (Qwen2.5-VL-3B): recall 0.946, specificity 0.957" in shown
    assert "1 questions without evidence" in said
    written = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [line["label"] for line in written].count("relevant") == 1
    report = (out / "critic.html").read_text()
    assert "ReflectiVA" in report
    assert 'name="viewport" content="width=device-width' in report, "read on a phone too"
    assert {path.name for path in out.iterdir()} == {
        "critic.html", "threshold.svg", "threshold.png", "pages.svg", "pages.png",
    }  # fmt: skip
    assert 'src="threshold.svg"' in report


def test_with_json_it_prints_one_object(files: tuple[str, str]) -> None:
    dataset, library = files
    code, shown, _ = _run(dataset, "--library", library, "--site", "hall=https://a.example/", "--json")
    assert code == 0
    told = json.loads(shown)
    assert {row["pages"] for row in told["rows"]} == {5, 10, 20}
    assert len(told["published"]) == 4


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--threshold", "1.5"), "1.5 is not in the range"),
        (("--threshold", "-0.1"), "-0.1 is not in the range"),
        (("--pages", "0"), "0 is not in the range"),
        (("--site", "hall"), "NAME=http://host/"),
        ((), 'the URL of the site "hall" is unknown'),
        (("--site", "hall=https://other.example/"), "none of the 2 questions has evidence in these libraries"),
    ],
)
def test_wrong_input_is_told_in_one_line(files: tuple[str, str], more: tuple[str, ...], said: str) -> None:
    dataset, library = files
    code, shown, error = _run(dataset, "--library", library, *more)
    assert code == 2
    assert shown == ""
    assert said in error.splitlines()[-1]


def test_a_library_that_is_not_there_is_told_in_one_line(files: tuple[str, str], tmp_path: Path) -> None:
    code, _, error = _run(files[0], "--library", str(tmp_path / "none.library"))
    assert code != 0
    assert len(error.splitlines()) == 1
    assert "none.library" in error
