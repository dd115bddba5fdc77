"""What the reader learns from."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tools.reader_training.examples import (
    Search,
    Source,
    files_of,
    load_held_out,
    load_questions,
    load_sources,
    site_examples,
)
from tools.reader_training.public_sets import read_set
from tools.reader_training.site_texts import SiteText, plain, texts_of

PROJECT = Path(__file__).parents[3]
PAGE = """---
title: "Harbour rules"
---
# Berths

A berth costs **18 euros** a night. See [the map](map.html) for `free` places.

| Boat | Length |
|------|--------|
| Mantis | 18.4 m |

## Opening

- The office is open from nine to five.
- On Sundays it is closed.

```sh
# free a berth
berth --free 12
```
"""


def test_a_page_gives_texts_under_their_headings_rows_with_the_names_of_columns() -> None:
    texts = list(texts_of("harbour", "docs/rules.md", PAGE))
    assert [(one.heading, one.text) for one in texts] == [
        ("Harbour rules > Berths", "A berth costs 18 euros a night. See the map for free places."),
        ("Harbour rules > Berths", "Boat: Mantis; Length: 18.4 m"),
        ("Harbour rules > Berths > Opening", "The office is open from nine to five. On Sundays it is closed."),
        ("Harbour rules > Berths > Opening", "free a berth berth --free 12"),
    ]


def test_markup_is_taken_out() -> None:
    assert plain("See <b>the</b> [map][1] of _all_ {{ name }} ![x](y.png) `berths`") == "See the map of all berths"
    assert plain("**Set** `max_berth_count` to __ten__") == "Set max_berth_count to ten"


def test_a_search_finds_the_text_with_the_rare_words_first() -> None:
    texts = list(texts_of("harbour", "rules.md", PAGE))
    assert Search(texts).found("When is it closed?", 1)[0].text.startswith("The office")
    assert Search(texts).found("xylophone", 3) == []


def test_a_judge_adds_the_texts_that_it_takes_for_answers(tmp_path: Path) -> None:
    clone = tmp_path / "club+site"
    clone.mkdir()
    lines = [f"Berth {number} of the harbour lies at quay {number}." for number in range(30)]
    (clone / "berths.md").write_text("\n\n".join(["Berth nine of the harbour costs 18 euros a night.", *lines]))
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b.example commit -q -m one"):
        subprocess.run(["git", "-C", str(clone), *command.split()], check=True)
    source = Source(repository="club/site", files=r"\.md$", name="club")
    row = {
        "site": "club",
        "page": "berths.md",
        "question": "What does berth nine of the harbour cost?",
        "answer": "18 euros",
    }
    judged: list[str] = []

    def judge(question: str, texts: Sequence[SiteText]) -> list[float]:
        judged.extend(one.text for one in texts)
        return [float("quay 17" in one.text) for one in texts]

    found, mistaken = (site_examples(tmp_path, Random(1), [row], one, sites=(source,)) for one in (None, judge))
    assert all("18 euros" not in text for text in judged)
    assert next(one.text for one in mistaken if not one.says) == lines[17]
    assert lines[17] not in [one.text for one in found]
    assert {one.group for one in mistaken} == {0}


def test_a_set_in_the_form_of_squad_is_read(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    asked = {"question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}
    file.write_text(json.dumps({"data": [{"title": "T", "paragraphs": [{"context": "Ann did.", "qas": [asked]}]}]}))
    read = list(read_set("squad", file, Random(1)))
    assert [(one.title, one.text, one.asked[0].answers) for one in read] == [("T", "Ann did.", ("Ann",))]
    with pytest.raises(ValueError, match="no such form"):
        list(read_set("newsqa", file, Random(1)))


def test_chinese_sentences_are_cut_at_their_own_full_stops() -> None:
    page = f"# 开放时间\n\n{'图书馆每天从早上八点开放到晚上十点，寒暑假另行通知。' * 12}\n"
    texts = list(texts_of("library", "a.md", page))
    assert len(texts) > 1
    assert all(one.text.endswith("。") for one in texts)


def test_files_with_accents_in_their_names_are_read(tmp_path: Path) -> None:
    clone = tmp_path / "club+site"
    clone.mkdir()
    (clone / "Règles.md").write_text("Le port ouvre à neuf heures.")
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b.example commit -q -m one"):
        subprocess.run(["git", "-C", str(clone), *command.split()], check=True)
    source = Source(repository="club/site", files=r"\.md$")
    assert [path for path, _ in files_of(tmp_path, source)] == ["Règles.md"]


def test_no_site_to_learn_from_is_one_that_answers_are_measured_on() -> None:
    rows = [*load_questions(), *load_held_out()]
    sources = {source.name: source.repository for source in load_sources().sites}
    measured = [path.read_text() for path in PROJECT.glob("bench/answers/*/*.toml")]
    assert measured
    assert {row["site"] for row in rows} <= sources.keys()
    assert all(row["question"].strip() and row["answer"].strip() for row in rows)
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    assert not [repository for repository in sources.values() if any(repository in one for one in measured)]
