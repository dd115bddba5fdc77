"""`walker calibrate` and `walker look` as a person runs them, on real pages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from perception.images.image import decode_picture, size_of
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import on_terminal, walker_here


def price_page(name: str, price: str, *, drawn: bool) -> str:
    shown = (
        f'<img src="/{name}.svg" width=300 height=80>' if drawn else f"<p>The price of the {name} is {price} EUR.</p>"
    )
    return f"<html lang=en><title>{name}</title><h1>{name}</h1><p>A thing that many people like to have with them.</p>{shown}"


def svg(words: str) -> str:
    text = f'<text x="20" y="50" font-size="30" font-family="sans-serif">{words}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80">{text}</svg>'


THINGS = {"lantern": "12.40", "compass": "7.15", "rope": "3.90"}
PAGES: dict[str, str | bytes] = {}
for thing, cost in THINGS.items():
    PAGES[f"/{thing}"] = price_page(thing, cost, drawn=True)
    PAGES[f"/{thing}-told"] = price_page(thing, cost, drawn=False)
    PAGES[f"/{thing}.svg"] = svg(f"Price {cost} EUR")


def labelled(base: str) -> str:
    lines = [
        {"url": f"{base}/{thing}{end}", "question": f"What is the price of the {thing}?", "answer": cost, "site": thing}
        for thing, cost in THINGS.items()
        for end in ("", "-told")
    ]
    return "\n".join(json.dumps(line) for line in lines)


def with_twins(folder: Path, kept: list[str], *, times: int) -> None:
    """Add measured pages like those that were measured, on other sites, to the file of pages and to what was measured of it."""
    lines, measured = [], []
    for number in range(times):
        for line in kept:
            twin = json.loads(line)
            example = twin["example"]
            example |= {"page": f"{example['page']}-{number}", "site": f"{example['site']}-{number}"}
            measured.append(json.dumps(twin))
            lines.append(
                json.dumps(
                    {"url": example["page"], "question": twin["question"], "answer": twin["answer"], "site": "x"}
                )
            )
    for name, more in (("pages.jsonl", lines), ("gate.pages.jsonl", measured)):
        (folder / name).write_text("\n".join(((folder / name).read_text().rstrip(), *more)) + "\n")


def test_a_gate_that_costs_more_than_the_shipped_one_is_not_written(tmp_path: Path) -> None:
    """Two sites that teach the opposite of each other in all but what the shipped gate goes by."""
    pages, measured = [], []
    for number in range(40):
        needs, side, url = number % 2, number // 2 % 2, f"http://site{number}.example/"
        inputs = {"understanding": 60.0, "blind": needs, "answered": abs(side - needs), "gap": 1 - abs(side - needs)}
        example = {"site": f"side{side}", "page": url, "needs_look": bool(needs), "before": inputs, "after": inputs}
        example |= {"text_right": not needs, "glance_right": True}
        pages.append({"url": url, "question": "q", "answer": "a"})
        measured.append({"question": "q", "answer": "a", "example": example})
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)))
    (tmp_path / "gate.pages.jsonl").write_text("\n".join(map(json.dumps, measured)))
    ended = walker_here("calibrate", "pages.jsonl", folder=tmp_path)
    assert ended.code == 3, ended.out
    assert "no gate: the shipped one costs less on your pages" in ended.out
    assert (tmp_path / "gate.html").exists()
    assert not (tmp_path / "gate.json").exists()
    told = walker_here("calibrate", "pages.jsonl", "--json", folder=tmp_path)
    assert (told.code, json.loads(told.out)["gate"]) == (3, "")


def test_a_gate_is_fitted_used_and_not_measured_twice(tmp_path: Path) -> None:
    with serve(PAGES) as base:
        (tmp_path / "pages.jsonl").write_text(labelled(base))
        few = walker_here("calibrate", "pages.jsonl", "--out", "gate.json", folder=tmp_path)
        assert few.code == 2
        assert "3 must be looked at, of 3 the text is enough. Label more pages, 15 of each kind" in few.err
        assert not (tmp_path / "gate.json").exists()
        kept = (tmp_path / "gate.pages.jsonl").read_text().splitlines()
        assert sum(json.loads(line)["example"]["needs_look"] for line in kept) == 3
        with_twins(tmp_path, kept, times=5)
        ended = walker_here("calibrate", "pages.jsonl", "--out", "gate.json", "--json", folder=tmp_path)
        assert ended.code == 0, ended.err
        told = json.loads(ended.out)
        assert (told["failed"], told["fitted"]["pages"], told["fitted"]["sites"]) == (0, 36, 18)
        assert told["fitted"]["area"]["value"] == 1.0
        assert "<svg" in (tmp_path / "gate.html").read_text()
        kept = (tmp_path / "gate.pages.jsonl").read_text().splitlines()
        asked = walker_here(
            "ask", f"{base}/rope", "What is the price of the rope?", "--gate", "gate.json", folder=tmp_path
        )
        assert (asked.code, asked.out.splitlines()[0]) == (0, "3.90 EUR"), asked.err
    # The server is gone: what was measured before it went is enough; a line that was cut off is measured again, and fails.
    (tmp_path / "gate.pages.jsonl").write_text("\n".join((*kept[:-1], kept[-1][:40])))
    again = walker_here("calibrate", "pages.jsonl", "--out", "gate.json", folder=tmp_path)
    assert again.code == 0, again.err
    assert "35 pages of 18 sites, 1 could not be opened" in again.out
    narrow = on_terminal("calibrate", "pages.jsonl", "--out", "gate.json", folder=tmp_path, columns=60).out.splitlines()
    costs = [line for line in narrow if "looks at" in line]
    assert len(costs) == sum("looks at" in line for line in again.out.splitlines()) > 2
    assert all(len(line) <= 60 and re.search(r"right +[\d.]+%, costs 0\.\d{4}", line) for line in costs)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "there is no page in it"),
        ('{"url": "http://a.example/"}', "pages.jsonl:1: Object missing required field `question`"),
        ('{"url": "u", "question": "q", "answer": "a", "lable": 1}', "unknown field `lable`"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "pages.jsonl").write_text(content)
    ended = walker_here("calibrate", "pages.jsonl", folder=tmp_path)
    assert ended.code == 2
    assert words in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_gate_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "gate.json").write_text("{}")
    ended = walker_here("ask", "http://127.0.0.1:9/", "What?", "--gate", "gate.json", folder=tmp_path)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "walker calibrate writes one" in ended.err


def test_a_look_tells_what_is_there_what_is_blind_and_what_was_read(tmp_path: Path) -> None:
    with serve(PAGES) as base:
        ended = walker_here(
            "look",
            f"{base}/rope",
            "What is the price of the rope?",
            "--picture",
            "seen.png",
            folder=tmp_path,
        )
        assert ended.code == 0, ended.err
        assert "Price 3.90 EUR" in ended.out
        assert "gate: glance" in ended.out
        assert "answer: 3.90" in ended.out
        assert size_of(decode_picture((tmp_path / "seen.png").read_bytes())) == (1280, 800)
        told = json.loads(walker_here("look", f"{base}/rope-told", "--json", folder=tmp_path).out)
        assert told["blind"] == []
        assert any("3.90" in str(element) for element in told["view"]["map"]["elements"])
    gone = walker_here("look", "http://127.0.0.1:9/", folder=tmp_path)
    assert (gone.code, len(gone.err.splitlines())) == (1, 1)


def test_a_walk_that_looked_replays_without_a_browser_or_models(tmp_path: Path) -> None:
    with serve(
        {**PAGES, "/": '<html lang=en><h1>Shop</h1><p>Things for the sea.</p><a href="/compass">Compass</a>'}
    ) as base:
        asked = walker_here("ask", base, "What is the price of the compass?", folder=tmp_path)
        assert (asked.code, asked.out.splitlines()[0]) == (0, "7.15 EUR"), asked.err
    (run,) = (tmp_path / "runs").iterdir()
    for more in ((), ("--deep",)):
        replayed = walker_here("replay", str(run), *more, folder=tmp_path)
        assert replayed.code == 0, replayed.err
    kept = (run / "events.jsonl").read_text()
    assert '"choice":"glance"' in kept
    assert '"source":"ocr"' in kept or '"$b"' in kept


def test_the_confidence_of_answers_is_measured(tmp_path: Path) -> None:
    known = [{"id": str(number), "answer": "six" if number else "", "site": "reef"} for number in range(3)]
    said = [{"id": str(number), "nearest": "six", "confidence": 0.3, "stop_reason": "exhausted"} for number in range(3)]
    (tmp_path / "qa.jsonl").write_text("\n".join(map(json.dumps, known)))
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, said)))
    told = walker_here("calibrate", "qa.jsonl", "--answers", "said.jsonl", folder=tmp_path)
    assert told.code == 0, told.err
    assert told.out.splitlines()[0] == "3 questions, the best answer is right for 2"
    assert "not answerable: 1, of these declined at 0.5: 1" in told.out
    plain = json.loads(walker_here("calibrate", "qa.jsonl", "--answers", "said.jsonl", "--json", folder=tmp_path).out)
    assert (plain["questions"], plain["right"], plain["declined"]) == (3, 2, 1)
    wrong = walker_here("calibrate", "qa.jsonl", "--answers", "none.jsonl", folder=tmp_path)
    assert (wrong.code, wrong.out) == (2, "")
