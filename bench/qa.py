"""Answers the development questions with the built-in strategy and prints how many were right.

usage: python bench/qa.py [--jobs N] [--keep] [--only ID,ID]
Answers and traces go to bench/out/qa; with --keep, questions that are answered there already are not asked again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from testbeds import FOLDER, SITES, serve_or_skip

OUT = Path(__file__).parent / "out" / "qa"
WANTED = {"single": 0.60, "quota": 0.6, "exhaustive": 0.6, "multi": 0.25}
MAX_PAGES = 30


def main() -> None:
    """Ask, score, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    serve_or_skip()
    if not options.keep:
        shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    questions = [json.loads(line) for line in (FOLDER / "qa_dev.jsonl").read_text().splitlines() if line.strip()]
    if options.only:
        questions = [question for question in questions if question["id"] in options.only.split(",")]
    asked = OUT / "questions.jsonl"
    asked.write_text("".join(json.dumps(question) + "\n" for question in questions))
    answers = OUT / "predictions.jsonl"
    sites = [part for name, base in SITES.items() for part in ("--site", f"{name}={base}")]
    command = [sys.executable, "-m", "walker", "ask", "--batch", str(asked), *sites, "--out", str(answers)]
    subprocess.run(
        [*command, "--jobs", str(options.jobs), "--max-pages", str(MAX_PAGES), "--runs", str(OUT / "runs")], check=False
    )
    report(questions, {p["id"]: p for p in map(json.loads, answers.read_text().splitlines())})


def report(questions: list[dict[str, Any]], predictions: dict[str, Any]) -> None:
    """Print a line for each miss, then the figures."""
    sys.path.insert(0, str(FOLDER))
    from score_qa import cited, hit  # type: ignore[import-not-found]  # noqa: PLC0415 (found beside the project)

    hits, citations = defaultdict(list), []
    for question in questions:
        prediction = predictions.get(question["id"], {})
        right = bool(hit(question, prediction))
        hits[question["kind"]].append(right)
        citations.append(bool(cited(question, prediction)))
        if not right:
            sys.stderr.write(
                f"miss {question['id']} {question['kind']:10} {prediction.get('stop_reason', '-'):14}"
                f" p={prediction.get('pages', 0):>2} cited={citations[-1]:d}"
                f" want {question['answer'][:40]!r} got {str(prediction.get('answer'))[:70]!r}\n"
            )
    for kind, wanted in WANTED.items():
        if hits[kind]:
            rate = sum(hits[kind]) / len(hits[kind])
            print_figure(f"qa hit {kind}", round(rate, 3), "share", f">= {wanted}", rate >= wanted)
    rate = sum(citations) / len(citations)
    print_figure("qa cited", round(rate, 3), "share", ">= 0.7", rate >= 0.7)
    pages = [predictions.get(question["id"], {}).get("pages", 0) for question in questions]
    median = statistics.median(pages)
    print_figure("qa pages a question, median", median, "pages", "<= 12", median <= 12)
    print_figure("qa pages a question, most", max(pages), "pages", f"<= {MAX_PAGES}", max(pages) <= MAX_PAGES)


if __name__ == "__main__":
    main()
